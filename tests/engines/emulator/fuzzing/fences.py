"""Place arrays of the emulator between inaccessible pages.

An access beyond an array's pages kills the process at once. A write to the unused rest of its pages damages a
pattern.
"""

import ctypes
import mmap
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator import arrays

_PAGE = mmap.PAGESIZE
_ALIGN = 64
_PATTERN = 0xA5
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class _Fenced:
    """The pages of one array, and which of their bytes belong to it."""

    pages: NDArray[np.uint8]
    start: int
    stop: int

    def intact(self) -> bool:
        """Whether the bytes around the array are unchanged."""
        before, behind = self.pages[: self.start], self.pages[self.stop :]
        return bool((before == _PATTERN).all() and (behind == _PATTERN).all())


class Fences:
    """Allocates arrays as a replacement of ``arrays.aligned_bytes``."""

    def __init__(self) -> None:
        self._out: list[_Fenced] = []
        self.at_end = True

    def allocate(self, count: int) -> NDArray[np.uint8]:
        """``count`` zero bytes, at the end or at the start of their pages, so that both fences get tested."""
        size = -(-max(count, 1) // _ALIGN) * _ALIGN
        inner = -(-size // _PAGE) * _PAGE
        room = mmap.mmap(-1, inner + 2 * _PAGE)
        whole = np.frombuffer(room, np.uint8)
        for fence in (0, _PAGE + inner):
            _forbid(int(whole.ctypes.data) + fence)
        pages = whole[_PAGE : _PAGE + inner]
        start = inner - size if self.at_end else 0
        stop = start + max(count, 1)
        pages[:start] = _PATTERN
        pages[stop:] = _PATTERN
        self._out.append(_Fenced(pages, start, stop))
        return pages[start:stop]

    def intact(self) -> bool:
        """Whether nothing was written outside any array since the last ``forget``."""
        return all(fenced.intact() for fenced in self._out)

    def forget(self) -> None:
        """Release all arrays without other references."""
        self._out.clear()

    def install(self) -> None:
        """Make every module of the emulator allocate here."""
        original: Callable[[int], Any] = arrays.aligned_bytes
        for name, module in list(sys.modules.items()):
            if name.startswith("grader.engines.emulator") and vars(module).get("aligned_bytes") is original:
                vars(module)["aligned_bytes"] = self.allocate


def _forbid(address: int) -> None:
    if _LIBC.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(_PAGE), 0):
        raise OSError(ctypes.get_errno(), "mprotect")
