"""The processor's time of another process and of those that it started, by the system's clock."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_CLOCK_OF_ALL_THREADS = 2


def processor_seconds(pid: int) -> float:
    """The seconds that the process ``pid`` and its living descendants have used, all threads together."""
    return sum(map(_own_seconds, _tree(pid)))


def _own_seconds(pid: int) -> float:
    with suppress(OSError):  # it has ended
        return time.clock_gettime(~pid << 3 | _CLOCK_OF_ALL_THREADS)  # as clock_getcpuclockid(3) numbers it
    return 0.0


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text(encoding="ascii").split():
                yield from _tree(int(child))
