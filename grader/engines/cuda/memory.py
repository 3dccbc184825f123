"""The buffers of one plan on the device: filled before a run, read and checked after it."""

from collections.abc import Callable, Mapping
from typing import Any

from grader.engines.cuda import transfer
from grader.engines.cuda.arena import Arena
from grader.engines.cuda.status import checked
from grader.engines.cuda.textures import TextureCopy
from grader.model.plan import Buffer, LaunchPlan, Role, Transfer, poison_byte
from grader.model.texture import Texture

_FILLED = frozenset({Role.INPUT, Role.INOUT})
_UNFILLED = frozenset({Role.OUTPUT, Role.SCRATCH})
_WRITTEN = _UNFILLED | {Role.INOUT}


class DeviceMemory:
    """The buffers of ``plan`` in ``arena``. Copies from and to the host are synchronous.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, plan: LaunchPlan, arena: Arena) -> None:
        """Raises: ``KeyError`` where ``arena`` has no such buffers."""
        self._cupy = cupy
        self._runtime = cupy.cuda.runtime
        self._buffers = plan.buffers
        self._returned = plan.returned
        self._addresses = {buffer.name: arena.address(buffer) for buffer in plan.buffers}
        self._poisons = [
            (buffer.role, self._addresses[buffer.name], poison_byte(buffer.dtype), buffer.nbytes)
            for buffer in plan.buffers
            if buffer.role in _WRITTEN and buffer.nbytes
        ]
        self._textures: dict[Texture, TextureCopy] = {}

    def address(self, name: str | Texture) -> int:
        """The device address of the buffer ``name``, or the handle of a texture of an input that is filled already.

        Raises: ``KeyError``; ``ValueError`` for a texture that does not fit its buffer.
        """
        if isinstance(name, Texture):
            return self._handle(name)
        return self._addresses[name]

    @property
    def textures_nbytes(self) -> int:
        """Device memory of the textures, which is outside the arena."""
        return sum(copy.nbytes for copy in self._textures.values())

    def _handle(self, texture: Texture) -> int:
        if texture not in self._textures:
            buffer = next(buffer for buffer in self._buffers if buffer.name == texture.buffer)
            if buffer.role is not Role.INPUT:
                msg = f"the buffer of texture {texture.buffer} is not an input"
                raise ValueError(msg)
            with checked(self._cupy):
                copy = TextureCopy(self._cupy, texture, buffer)
                copy.take(self.address(buffer.name))
            self._textures[texture] = copy
        return self._textures[texture].handle

    def fill(self, inputs: Mapping[str, bytes]) -> None:
        """Write the inputs, and poison outputs and scratch.

        Raises: ``ValueError`` where an input is missing or has the wrong size.
        """
        for buffer in self._buffers:
            if buffer.role in _FILLED:
                transfer.write(self._cupy, self.address(buffer.name), input_of(buffer, inputs))
        self._poison(_UNFILLED)

    def renew(self, write: Callable[[Buffer, int], None]) -> None:
        """As ``fill``, but ``write`` fills an input at its address; updates textures as well.

        Asynchronous on the current stream, as far as ``write`` is.
        """
        self.change(write)
        self._poison(_UNFILLED)

    def change(self, write: Callable[[Buffer, int], None]) -> None:
        """As ``renew``, but leave outputs and scratch as they are, also outputs that were written too early."""
        for buffer in self._buffers:
            if buffer.role in _FILLED and buffer.nbytes:
                write(buffer, self.address(buffer.name))
        with checked(self._cupy):
            for texture, copy in self._textures.items():
                copy.take(self.address(texture.buffer))

    def wipe(self) -> None:
        """Overwrite all that a kernel may have written, so that no later kernel finds it. Asynchronous."""
        self._poison(_WRITTEN)

    def _poison(self, roles: frozenset[Role]) -> None:
        with checked(self._cupy):
            stream = self._cupy.cuda.get_current_stream().ptr
            for role, address, byte, nbytes in self._poisons:
                if role in roles:
                    self._runtime.memsetAsync(address, byte, nbytes, stream)

    def carry(self, step: Transfer, target: int) -> None:
        """Set the memory at ``target`` as ``step`` says. Asynchronous on the current stream."""
        if step.source:
            transfer.copy(self._cupy, target, self._addresses[step.source], self._size(step.source))
            return
        with checked(self._cupy):
            stream = self._cupy.cuda.get_current_stream().ptr
            self._runtime.memsetAsync(target, step.byte, self._size(step.target), stream)

    def is_set(self, name: str) -> bool:
        """Whether the first element of the buffer ``name`` is not 0."""
        buffer = next(buffer for buffer in self._buffers if buffer.name == name)
        return any(transfer.read(self._cupy, self.address(name), buffer.dtype.itemsize))

    def _size(self, name: str) -> int:
        return next(buffer.nbytes for buffer in self._buffers if buffer.name == name)

    def outputs(self) -> dict[str, bytes]:
        """The contents of all OUTPUT and INOUT buffers."""
        return {buffer.name: self.read(buffer.name) for buffer in self._returned}

    def inputs(self) -> dict[str, bytes]:
        """The contents of all INPUT and INOUT buffers, as they are now."""
        return {
            buffer.name: transfer.read(self._cupy, self.address(buffer.name), buffer.nbytes)
            for buffer in self._buffers
            if buffer.role in _FILLED
        }

    def read(self, name: str) -> bytes:
        """The content of the OUTPUT or INOUT buffer ``name``. Raises: ``StopIteration`` for any other."""
        nbytes = next(buffer.nbytes for buffer in self._returned if buffer.name == name)
        return transfer.read(self._cupy, self.address(name), nbytes)


def input_of(buffer: Buffer, inputs: Mapping[str, bytes]) -> bytes:
    """The input bytes of ``buffer``. Raises: ``ValueError`` where they are missing or of another size."""
    data = inputs.get(buffer.name)
    if data is None or len(data) != buffer.nbytes:
        got = "nothing" if data is None else f"{len(data)} bytes"
        msg = f"buffer {buffer.name} needs {buffer.nbytes} bytes, the job provides {got}"
        raise ValueError(msg)
    return data
