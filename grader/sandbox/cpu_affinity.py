"""Sharing out processors where the kernel has no quota for a worker: each runs only on cores that are given to it."""

import contextlib
import math
import os
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path


class CpuAllocator:
    """The cores of this machine that the grader may use, and how many workers each of them has. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: Counter[int] = Counter()

    def take(self, count: float) -> frozenset[int]:
        """The ``count`` cores, rounded up, that have the fewest workers; fewer where the machine has fewer."""
        with self._lock:
            mine = sorted(os.sched_getaffinity(0), key=lambda core: (self._workers[core], core))
            taken = frozenset(mine[: math.ceil(count)])
            self._workers.update(taken)
            return taken

    def give_back(self, cores: Iterable[int]) -> None:
        """What was taken for a worker that has ended."""
        with self._lock:
            self._workers.subtract(cores)


class CpuAffinity:
    """One worker's cores: none until it works, so that those that only wait crowd nobody."""

    def __init__(self, processors: CpuAllocator, count: float) -> None:
        self._processors = processors
        self._count = count
        self._cores: frozenset[int] = frozenset()

    def impose(self, processes: Iterable[int]) -> None:
        """Keep every thread of ``processes``, and whatever they start, on cores of the worker's own."""
        self._cores = self._processors.take(self._count)
        for process in processes:
            with contextlib.suppress(OSError):  # it has ended
                for thread in Path(f"/proc/{process}/task").iterdir():
                    os.sched_setaffinity(int(thread.name), self._cores)

    def lift(self) -> None:
        """The worker has ended. May be repeated."""
        self._processors.give_back(self._cores)
        self._cores = frozenset()
