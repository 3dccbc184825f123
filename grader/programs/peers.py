"""Which devices reach each other's memory."""


class Peers:
    """Pairs of a device and a peer: kernels of the first can use memory of the second."""

    def __init__(self) -> None:
        self._enabled: set[tuple[int, int]] = set()

    def reaches(self, device: int, owner: int) -> bool:
        """Whether kernels of ``device`` can use memory of ``owner``."""
        return device == owner or (device, owner) in self._enabled

    def enable(self, device: int, owner: int) -> bool:
        """Give ``device`` access. Returns: whether it had none."""
        is_new = (device, owner) not in self._enabled
        self._enabled.add((device, owner))
        return is_new

    def disable(self, device: int, owner: int) -> bool:
        """Take the access away. Returns: whether there was one."""
        was_on = (device, owner) in self._enabled
        self._enabled.discard((device, owner))
        return was_on
