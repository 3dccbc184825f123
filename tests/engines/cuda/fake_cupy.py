"""The part of CuPy that the engine's memory needs, on a fake GPU with the host's memory."""

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray


class HostRuntime:
    """The memory functions of ``cupy.cuda.runtime``. Freed memory stays readable in ``freed``."""

    class CUDARuntimeError(Exception):
        """Raised when memory runs out."""

        status = 2

    memcpyHostToDevice = memcpyDeviceToHost = memcpyDeviceToDevice = 0  # noqa: N815 - CUDA's own names

    def __init__(self, room: int = 2**30) -> None:
        """``room``: the free bytes that ``memGetInfo`` reports; allocation itself is bounded by ``capacity`` only."""
        self.blocks: dict[int, ctypes.Array[ctypes.c_char]] = {}
        self.freed: list[bytes] = []
        self._room = room
        self.capacity: int | None = None
        """Bytes that can be allocated; ``None`` for no limit."""

    def memGetInfo(self) -> tuple[int, int]:  # noqa: N802 - CUDA's own name
        return self._room, self._room

    def malloc(self, size: int) -> int:
        if self.capacity is not None and sum(map(len, self.blocks.values())) + size > self.capacity:
            raise self.CUDARuntimeError
        block = ctypes.create_string_buffer(b"\x77" * size, size)
        self.blocks[ctypes.addressof(block)] = block
        return ctypes.addressof(block)

    def free(self, address: int) -> None:
        self.freed.append(self.blocks.pop(address).raw)

    def memset(self, address: int, value: int, size: int) -> None:
        ctypes.memset(address, value, size)

    def memsetAsync(self, address: int, value: int, size: int, _stream: int) -> None:  # noqa: N802 - CUDA's own name
        ctypes.memset(address, value, size)

    def memcpy(self, target: int, source: int, size: int, _kind: int) -> None:
        ctypes.memmove(target, source, size)

    def memcpyAsync(self, target: int, source: int, size: int, _kind: int, _stream: int) -> None:  # noqa: N802 - CUDA's own name
        ctypes.memmove(target, source, size)


class HostDigests:
    """Replaces ``TrustedKernels`` for digests."""

    def digest(self, address: int, size: int, seed: int) -> tuple[int, int]:
        """Compute the digest of host memory."""
        return hash(ctypes.string_at(address, size)), seed


def fake_cupy(runtime: HostRuntime) -> Any:
    """A fake ``cupy`` package with this runtime."""
    driver = SimpleNamespace(CUDADriverError=HostRuntime.CUDARuntimeError)
    stream = SimpleNamespace(ptr=0)
    memory = SimpleNamespace(OutOfMemoryError=MemoryError)
    cuda = SimpleNamespace(runtime=runtime, driver=driver, memory=memory, get_current_stream=lambda: stream)

    def empty(size: int, _dtype: object) -> Any:
        return SimpleNamespace(data=SimpleNamespace(ptr=runtime.malloc(size)), nbytes=size)

    def asarray(host: NDArray[np.uint8]) -> Any:
        array = empty(host.nbytes, host.dtype)
        ctypes.memmove(array.data.ptr, host.tobytes(), host.nbytes)
        return array

    return SimpleNamespace(cuda=cuda, empty=empty, asarray=asarray)
