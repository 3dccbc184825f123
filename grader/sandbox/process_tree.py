"""Monitor and kill a process tree, for limits that the kernel does not apply to a whole tree."""

import contextlib
import time
from collections.abc import Callable, Iterable

import psutil

from grader.errors import InfrastructureError
from grader.sandbox.cpu_affinity import CpuAffinity
from grader.sandbox.descendants import descendants, listed_descendants
from grader.sandbox.port import LossCause

END_SECONDS = 0.05
"""Time for killed processes to end before the next look for others."""

_POLL_SECONDS = 0.001


class ProcessTree:
    """A worker process and all descendants observed so far.

    ``memory_bytes`` limits the resident memory of the whole tree, ``processes`` their number; zero means no limit.
    ``affinity`` limits the processors of a tree that has begun to work.
    """

    def __init__(
        self, pid: int, *, memory_bytes: int, processes: int, affinity: CpuAffinity | None = None
    ) -> None:
        self._root = psutil.Process(pid)
        self._seen = {pid: self._root}
        self._memory_bytes = memory_bytes
        self._processes = processes
        self._confinement = affinity

    def begin(self) -> None:
        """See the port: pin the tree to its cores."""
        if self._confinement is not None:
            self._confinement.apply(process.pid for process in self._living(descendants))

    def breach(self) -> LossCause | None:
        """The limit that the tree exceeds now, if any."""
        alive = self._living(listed_descendants)
        if self._processes and len(alive) > self._processes:
            return LossCause.OVER_PROCESSES
        if self._memory_bytes and sum(map(_resident, alive)) > self._memory_bytes:
            return LossCause.OVER_MEMORY
        return None

    def kill(self) -> None:
        """Kill all processes of the tree repeatedly, because they may start others, until none is left.

        Raises: ``InfrastructureError`` where some cannot be killed.
        """
        alive = self._living(descendants)  # exactly: the children of an ended process are no longer below it
        for _ in range(100):
            if not alive:
                return
            self._kill(alive)
            alive = self._living(listed_descendants)
        if alive:
            left = ", ".join(str(process.pid) for process in alive)
            msg = f"processes of a worker could not be killed: {left}"
            raise InfrastructureError(msg)

    @staticmethod
    def _kill(alive: list[psutil.Process]) -> None:
        for process in alive:
            with contextlib.suppress(psutil.Error):
                process.kill()
        # A killed process stays as a zombie until its parent, often a forkserver, asks for its exit code.
        until = time.monotonic() + END_SECONDS
        while any(map(_alive, alive)) and time.monotonic() < until:
            time.sleep(_POLL_SECONDS)

    def _living(self, find: Callable[[psutil.Process], Iterable[psutil.Process]]) -> list[psutil.Process]:
        below: set[int] = set()
        for process in list(self._seen.values()):
            # A descendant is found with its ancestor.
            if process.pid not in below:
                with contextlib.suppress(psutil.Error):
                    children = {child.pid: child for child in find(process)}
                    below.update(children)
                    self._seen.update(children)
        return [process for process in self._seen.values() if _alive(process)]


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0
