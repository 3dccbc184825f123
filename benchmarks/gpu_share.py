"""The share of time in which a GPU runs kernels, as NVIDIA's management library reports it."""

import ctypes
import threading
from statistics import fmean
from typing import Self

_LIBRARY = "libnvidia-ml.so.1"
_PAUSE_SECONDS = 0.1


class _Rates(ctypes.Structure):
    _fields_ = (("gpu", ctypes.c_uint), ("memory", ctypes.c_uint))


class GpuShare:
    """Samples the GPU with ``uuid`` while it is entered as a context manager.

    The library reports, for its last period of a sixth of a second to a second, the percent of the time in which one or
    more kernels ran.
    """

    def __init__(self, uuid: str) -> None:
        self._rates: list[int] = []
        self._ended = threading.Event()
        self._library = _opened()
        self._device = ctypes.c_void_p()
        found = self._library is not None and not self._library.nvmlDeviceGetHandleByUUID(
            uuid.encode(), ctypes.byref(self._device)
        )
        self._thread = threading.Thread(target=self._sample, daemon=True) if found else None

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def mean(self) -> float | None:
        """The share, from 0 to 1, since the start; ``None`` where the library is missing or does not know the GPU."""
        return fmean(self._rates) / 100 if self._rates else None

    def _sample(self) -> None:
        rates = _Rates()
        while self._library is not None and not self._ended.wait(_PAUSE_SECONDS):
            if not self._library.nvmlDeviceGetUtilizationRates(self._device, ctypes.byref(rates)):
                self._rates.append(rates.gpu)


def _opened() -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    return None if library.nvmlInit_v2() else library
