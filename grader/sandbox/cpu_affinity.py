"""CPU limits by affinity, where the kernel has no quota for a worker: each runs on assigned cores only."""

import contextlib
import math
import os
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path


class CpuAllocator:
    """Assigns the cores that the grader may use to workers, evenly. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._workers: Counter[int] = Counter()

    def allocate(self, count: float) -> frozenset[int]:
        """The ``count`` cores, rounded up, with the fewest workers; fewer where the machine has fewer."""
        with self._lock:
            available = sorted(os.sched_getaffinity(0), key=lambda core: (self._workers[core], core))
            taken = frozenset(available[: math.ceil(count)])
            self._workers.update(taken)
            return taken

    def release(self, cores: Iterable[int]) -> None:
        """Release the cores of a worker that has ended."""
        with self._lock:
            self._workers.subtract(cores)


class CpuAffinity:
    """One worker's cores, assigned when it gets its first request, so that idle workers take none."""

    def __init__(self, cpus: CpuAllocator, count: float) -> None:
        self._cpus = cpus
        self._count = count
        self._cores: frozenset[int] = frozenset()

    def apply(self, processes: Iterable[int]) -> None:
        """Assign cores and pin every thread of ``processes`` to them; child processes inherit the affinity."""
        self._cores = self._cpus.allocate(self._count)
        for process in processes:
            with contextlib.suppress(OSError):  # it has ended
                for thread in Path(f"/proc/{process}/task").iterdir():
                    os.sched_setaffinity(int(thread.name), self._cores)

    def release(self) -> None:
        """Release the cores of the ended worker. Can be called again."""
        self._cpus.release(self._cores)
        self._cores = frozenset()
