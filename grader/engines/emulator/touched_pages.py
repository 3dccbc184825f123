"""Zero bytes that take no memory until they are touched, and a list of the pages that were."""

import ctypes
import mmap
from collections.abc import Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

_libc = ctypes.CDLL(None, use_errno=True)


class TouchedPages:
    """``data`` are ``nbytes`` zero bytes in an anonymous mapping of this process, some of which ``fill`` sets."""

    def __init__(self, nbytes: int) -> None:
        """Raises: ``OSError`` where the address space is exhausted."""
        self._map = mmap.mmap(-1, max(nbytes, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        with suppress(OSError):  # a kernel without huge pages has none to turn off
            self._map.madvise(mmap.MADV_NOHUGEPAGE)
        self.data: NDArray[np.uint8] = np.frombuffer(self._map, np.uint8)[:nbytes]
        self._filled = np.zeros(-(-len(self._map) // mmap.PAGESIZE), bool)

    def fill(self, start: int, data: bytes) -> None:
        """Set the bytes from ``start`` on, which begins a page, as ``data``, which ends one or all bytes."""
        self.data[start : start + len(data)] = np.frombuffer(data, np.uint8)
        self._filled[start // mmap.PAGESIZE : -(-(start + len(data)) // mmap.PAGESIZE)] = True

    def missing(self) -> Iterator[tuple[int, int]]:
        """Start and end offset of each run of pages that were read or written and never filled.

        Raises: ``OSError`` where the kernel does not tell.
        """
        resident = np.zeros(len(self._filled), np.uint8)
        address = ctypes.c_void_p(self.data.ctypes.data)
        vector = ctypes.c_void_p(resident.ctypes.data)
        if _libc.mincore(address, ctypes.c_size_t(len(self._map)), vector) != 0:
            code = ctypes.get_errno()
            raise OSError(code, "mincore failed")
        touched = (resident & 1 == 1) & ~self._filled
        edges = np.flatnonzero(np.diff(np.concatenate([[False], touched, [False]]).astype(np.int8)))
        for start, stop in edges.reshape(-1, 2).tolist():
            yield start * mmap.PAGESIZE, min(stop * mmap.PAGESIZE, len(self.data))
