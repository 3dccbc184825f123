"""The processes below a process: exactly, or quickly."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import psutil

LISTS = "children"
"""The kernel's file with a thread's children."""


def descendants(process: psutil.Process) -> list[psutil.Process]:
    """All processes below ``process``. Reads every process of the machine, which takes milliseconds."""
    found: list[psutil.Process] = process.children(recursive=True)
    return found


def listed_descendants(process: psutil.Process) -> Iterator[psutil.Process]:
    """The same, by the kernel's lists of children, which may leave one out while another ends.

    Raises: ``psutil.Error`` where ``process`` has ended.
    """
    threads = Path("/proc", str(process.pid), "task")
    if not (threads / str(process.pid) / LISTS).exists():  # not every kernel has these lists
        yield from descendants(process)
        return
    for thread in threads.iterdir():
        with contextlib.suppress(OSError):
            for pid in (thread / LISTS).read_text(encoding="ascii").split():
                with contextlib.suppress(psutil.Error):
                    child = psutil.Process(int(pid))
                    yield child
                    yield from listed_descendants(child)
