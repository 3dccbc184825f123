"""How busy a GPU is with a process, as NVIDIA's management library reports it to those outside of the process."""

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


class GpuUse:
    """Watches the GPU with ``uuid`` from its construction on."""

    def __init__(self, uuid: str) -> None:
        """Where the library is missing or knows no such GPU, nothing is known of any process."""
        self._since = int(time.time() * 1e6)
        self._device = ctypes.c_void_p()
        try:
            self._library: ctypes.CDLL | None = ctypes.CDLL(_LIBRARY)
        except OSError:
            self._library = None
            return
        found = self._library.nvmlInit_v2() or self._library.nvmlDeviceGetHandleByUUID(
            uuid.encode(), ctypes.byref(self._device)
        )
        if found:
            self._library = None

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
