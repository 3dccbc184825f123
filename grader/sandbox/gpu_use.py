"""A GPU's memory, and how busy it is with a process, as NVIDIA's management library reports them from outside."""

import ctypes
import time
from collections.abc import Collection

_LIBRARY = "libnvidia-ml.so.1"
_NOT_FOUND = 6
_MOST = 1024


class _Sample(ctypes.Structure):
    _fields_ = (
        ("pid", ctypes.c_uint),
        ("microseconds", ctypes.c_ulonglong),
        *((name, ctypes.c_uint) for name in ("gpu", "memory", "encoder", "decoder")),
    )


class _Memory(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_ulonglong) for name in ("total", "free", "used"))


def gpu_memory_bytes(uuid: str) -> int | None:
    """The memory of the GPU, or MIG instance, ``uuid``; ``None`` where the library is missing or does not know it."""
    library, device = _opened(uuid)
    memory = _Memory()
    if library is None or library.nvmlDeviceGetMemoryInfo(device, ctypes.byref(memory)):
        return None
    return int(memory.total)


def _opened(uuid: str) -> tuple[ctypes.CDLL | None, ctypes.c_void_p]:
    """The library, and its handle of the GPU ``uuid``; no library where it is missing or does not know the GPU."""
    device = ctypes.c_void_p()
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None, device
    failed = library.nvmlInit_v2() or library.nvmlDeviceGetHandleByUUID(uuid.encode(), ctypes.byref(device))
    return (None if failed else library), device


class GpuUse:
    """Watches the GPU with ``uuid`` from its construction on."""

    def __init__(self, uuid: str) -> None:
        """Where the library is missing or knows no such GPU, nothing is known of any process."""
        self._since = int(time.time() * 1e6)
        self._library, self._device = _opened(uuid)

    def busiest(self, pids: Collection[int]) -> int | None:
        """The most percent of a sampling period in which the GPU worked for one of ``pids``; ``None``: unknown.

        A sample covers a fraction of a second, so a short use may count as none.
        """
        if self._library is None:
            return None
        count, samples = ctypes.c_uint(_MOST), (_Sample * _MOST)()
        failed = self._library.nvmlDeviceGetProcessUtilization(
            self._device, samples, ctypes.byref(count), ctypes.c_ulonglong(self._since)
        )
        if failed == _NOT_FOUND:
            return 0
        if failed:
            return None
        return max((each.gpu for each in samples[: count.value] if each.pid in pids), default=0)
