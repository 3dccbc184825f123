"""A cache in which nothing is of use to the next launch, and nothing is left to do.

Twice the cache's size is read, not written: lines that were written would have to go back to memory while the next
launch runs, at its cost.
"""

import ctypes
from typing import Any

from grader.engines.cuda.status import check, checked
from grader.engines.cuda.trusted import TrustedKernels

_DRIVER = "libcuda.so.1"


class ColdCache:
    """Makes the L2 cold on the current stream.

    Raises (every method): as ``status.checked``.
    """

    def __init__(self, cupy: Any, kernels: TrustedKernels, l2_bytes: int) -> None:
        """``l2_bytes`` is the size of the cache."""
        self._cupy = cupy
        self._kernels = kernels
        self._bytes = 2 * l2_bytes
        self._driver = ctypes.CDLL(_DRIVER)
        with checked(cupy):
            self._address: int = cupy.cuda.runtime.malloc(self._bytes)
            cupy.cuda.runtime.memset(self._address, 0, self._bytes)

    def flush_l2(self) -> None:
        """Queue it, and do not wait: what is queued next finds it done. Lines that a kernel made persist are freed."""
        check(self._driver.cuCtxResetPersistingL2Cache(), "cuCtxResetPersistingL2Cache")
        self._kernels.sweep(self._address, self._bytes)

    def close(self) -> None:
        """Give the memory back that is read."""
        with checked(self._cupy):
            self._cupy.cuda.runtime.free(self._address)
