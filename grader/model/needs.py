"""What a job needs of the device that it runs on, and what a device has."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputeDevice:
    """A device of some host that runs kernels for an engine.

    ``id`` chooses it on its host: the UUID of a GPU, the name of a MIG instance, or ``cpu``. ``model`` is the name of
    the product, ``capability`` the compute capability as major and minor number. The emulator models any size of
    memory and any capability, so that its ``memory_mib`` is 0.
    """

    id: str
    engine: str
    model: str = ""
    memory_mib: int = 0
    capability: tuple[int, int] = (0, 0)

    @property
    def is_gpu(self) -> bool:
        """Whether it is a GPU or an instance of one, known by its id."""
        return self.id.startswith(("GPU-", "MIG-"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """The needs of a job; a field that is empty or 0 needs nothing.

    ``device`` is a part of the model's name, such as ``H100``. Needs of memory and capability are about GPUs.
    """

    engine: str = ""
    device: str = ""
    memory_mib: int = 0
    capability: tuple[int, int] = (0, 0)

    def met_by(self, device: ComputeDevice) -> bool:
        """Whether a job with these needs may run on ``device``."""
        if self.engine not in {"", device.engine} or self.device.lower() not in device.model.lower():
            return False
        return device.memory_mib >= self.memory_mib and device.capability >= self.capability

    def text(self) -> str:
        """The needs on one line, for messages; empty if there are none."""
        major, minor = self.capability
        words = {
            "engine": self.engine,
            "device": self.device,
            "memory": f"{self.memory_mib} MiB" if self.memory_mib else "",
            "compute capability": f"{major}.{minor}" if self.capability > (0, 0) else "",
        }
        return ", ".join(f"{name} {word}" for name, word in words.items() if word)
