"""Kernels that wait for their whole grid: only a cooperative launch starts all blocks at once."""

import re
from functools import lru_cache

_GRID_SYNC = re.compile(r"%envreg[12]\b|\bcudaCGSynchronize\b")


@lru_cache(maxsize=256)
def waits_for_grid(ptx: str, symbol: str) -> bool:
    """Whether a kernel uses its grid's workspace (grid-wide synchronization), which only a cooperative launch has."""
    start = ptx.find(f".entry {symbol}(")
    return start >= 0 and _GRID_SYNC.search(ptx, start, _end(ptx, start)) is not None


def _end(ptx: str, start: int) -> int:
    end = ptx.find("\n}\n", start)
    return len(ptx) if end < 0 else end
