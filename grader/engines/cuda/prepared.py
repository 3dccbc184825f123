"""A job on the device: its code, loaded once, and one or several copies of its buffers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.engines.cuda.arena import Arena
from grader.engines.cuda.kernels import LoadedKernels, ReadyLaunch, check_launches
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.status import LaunchFailedError, checked
from grader.engines.plan_walk import EndlessLoopError, walk
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import LaunchPlan
from grader.model.run import LaunchJob


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a plan's buffers, and the launches bound to them. ``wait`` waits for everything queued."""

    plan: LaunchPlan
    memory: DeviceMemory
    kernels: LoadedKernels
    launches: list[ReadyLaunch]
    wait: Callable[[], None]

    def start(self) -> None:
        """Queue the plan's steps. A loop reads its flag after each round, and so waits for it.

        Raises: CuPy's errors; ``LaunchFailedError`` for a loop that does not end.
        """
        try:
            for step in walk(self.plan, self._is_set):
                if step.transfer is None:
                    self.launches[step.launch].start()
                else:
                    self.memory.carry(step.transfer, self.kernels.address(step.transfer, self.memory))
        except EndlessLoopError as error:
            raise LaunchFailedError(error.fault, DiagnosticKind.ENDLESS_LOOP, lethal=False) from error

    def _is_set(self, flag: str) -> bool:
        self.wait()
        return self.memory.is_set(flag)


class Prepared:
    """A job that can be launched repeatedly on the current stream, all its copies as one CUDA graph.

    Raises (every method): as ``status.checked``.
    """

    def __init__(
        self, cupy: Any, device: Device, job: LaunchJob, wait: Callable[[], None] = lambda: None
    ) -> None:
        """Start without copies; nothing is on the device yet. ``wait`` waits for all that is queued, with a limit."""
        self.job = job
        self._wait = wait
        self.copies: list[Copy] = []
        self._cupy = cupy
        self._device = device
        self._kernels: LoadedKernels | None = None
        self._graph: Any = None

    def without_copies(self) -> "Prepared":
        """The same job without copies; it shares the loaded code if there is a copy already."""
        other = Prepared(self._cupy, self._device, self.job, self._wait)
        other._kernels = self._kernels
        return other

    def add(self, arena: Arena, inputs: Mapping[str, bytes] | None = None) -> None:
        """Add a copy in ``arena``, filled with ``inputs``, or uninitialised.

        Raises: ``LaunchFailedError``, also for launches that the device refuses, ``UserError``,
        ``InfrastructureError`` where the device cannot load the code,
        ``ValueError`` where ``inputs`` are not the plan's, ``KeyError`` where ``arena`` is not for it.
        """
        if self._kernels is None:
            check_launches(self._device, self.job.module, self.job.plan)
            self._kernels = LoadedKernels(self._cupy, self._device, self.job.module, self.job.plan)
        memory = DeviceMemory(self._cupy, self.job.plan, arena)
        if inputs is not None:
            memory.fill(inputs)
        launches = self._kernels.ready(memory)
        self.copies.append(Copy(self.job.plan, memory, self._kernels, launches, self._wait))

    def queue(self) -> None:
        """Queue the launches of all copies in order. Raises: CuPy's errors."""
        if self._graph is None:
            self._start_all()
        else:
            self._graph.launch()

    def capture(self) -> None:
        """From now on, launch the present copies as one graph."""
        self._graph = self.captured(self._start_all)

    def captured(self, queue: Callable[[], None]) -> Any:
        """The launches of ``queue`` as a graph on the device; the current stream must not be the default one."""
        stream = self._cupy.cuda.get_current_stream()
        with checked(self._cupy):
            stream.begin_capture()
            try:
                queue()
            finally:
                graph = stream.end_capture()
            graph.upload()
        return graph

    def wipe(self) -> None:
        """Call ``DeviceMemory.wipe`` on every copy."""
        for copy in self.copies:
            copy.memory.wipe()

    def _start_all(self) -> None:
        for copy in self.copies:
            copy.start()
