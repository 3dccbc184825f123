"""Watching and killing a process tree: what the kernel's per-process limits do not see."""

import contextlib

import psutil

from grader.errors import InfrastructureError
from grader.sandbox.cpu_affinity import CpuAffinity
from grader.sandbox.port import LossCause


class ProcessTree:
    """A worker process and everything it has started, as far as it was ever seen.

    ``memory_bytes`` bounds the resident memory of the whole tree, ``processes`` how many there may be; zero means
    without a bound. ``affinity`` bounds the processors of a tree that works.
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
        """See the port: from now on the tree keeps to its cores."""
        if self._confinement is not None:
            self._confinement.impose(process.pid for process in self._living())

    def breach(self) -> LossCause | None:
        """Which limit the tree breaks now, if any."""
        alive = self._living()
        if self._processes and len(alive) > self._processes:
            return LossCause.OVER_PROCESSES
        if self._memory_bytes and sum(map(_resident, alive)) > self._memory_bytes:
            return LossCause.OVER_MEMORY
        return None

    def kill(self) -> None:
        """Kill every process of the tree, and whatever they managed to start meanwhile, until none is left.

        Raises: ``InfrastructureError`` where some cannot be killed.
        """
        for _ in range(100):
            alive = self._living()
            if not alive:
                return
            for process in alive:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(alive, timeout=0.05)
        if alive := self._living():
            left = ", ".join(str(process.pid) for process in alive)
            msg = f"processes of a worker could not be killed: {left}"
            raise InfrastructureError(msg)

    def _living(self) -> list[psutil.Process]:
        below: set[int] = set()
        for process in list(self._seen.values()):
            # Whoever is below another one is found with it, and each look reads every process of the machine.
            if process.pid not in below:
                with contextlib.suppress(psutil.Error):
                    children = {child.pid: child for child in process.children(recursive=True)}
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
