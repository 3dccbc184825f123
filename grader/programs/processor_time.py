"""The processor's time of another process and of those that it started, by the system's clock."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_CLOCK_OF_ALL_THREADS = 2
_REAPED = slice(13, 15)
"""In ``/proc/PID/stat`` behind the name of the command: the time of children that ended, as user and in the system."""

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """The seconds that the process ``pid`` and its descendants have used, all threads together.

    A descendant that has ended counts once its parent has waited for it.
    """
    return sum(_own_seconds(each) + _reaped_seconds(each) for each in _tree(pid))


def _own_seconds(pid: int) -> float:
    with suppress(OSError):  # it has ended
        return time.clock_gettime(~pid << 3 | _CLOCK_OF_ALL_THREADS)  # as clock_getcpuclockid(3) numbers it
    return 0.0


def _reaped_seconds(pid: int) -> float:
    with suppress(OSError):  # it has ended
        fields = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        )
        return sum(map(int, fields[_REAPED])) / _TICKS
    return 0.0


def _tree(pid: int) -> Iterator[int]:
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text(encoding="ascii").split():
                yield from _tree(int(child))
