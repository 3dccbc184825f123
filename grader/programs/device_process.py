"""The device's side of a program: answers each call of the runtime until the program ends."""

from collections.abc import Callable
from itertools import chain

from grader.model.location import SourceLocation
from grader.model.program import Activity, Lane
from grader.programs.call_window import CallWindow
from grader.programs.calls.array import ArrayCalls
from grader.programs.calls.capture import CaptureCalls
from grader.programs.calls.clock import ClockCalls
from grader.programs.calls.copy import CopyCalls
from grader.programs.calls.device import DeviceCalls
from grader.programs.calls.errors import ErrorCalls
from grader.programs.calls.graph import GraphCalls
from grader.programs.calls.kernel import KernelCalls
from grader.programs.calls.memory import MemoryCalls
from grader.programs.calls.module import ModuleCalls
from grader.programs.calls.program import ProgramCalls
from grader.programs.calls.stream import StreamCalls
from grader.programs.calls.texture import TextureCalls
from grader.programs.capture_rules import CaptureRules
from grader.programs.checkable import Checkable
from grader.programs.device_state import State
from grader.programs.graph_tables import GraphTables
from grader.programs.host_errors import HostErrors
from grader.programs.modelled_clock import Spent
from grader.programs.wire import Call, Reply, Request

_SHOWN_SECONDS = 10e-6
"""The shortest time of the program's own code that a timeline shows."""

_ALWAYS_ANSWERED = frozenset(
    {Call.ERROR_READ, Call.EXIT, Call.TOUCH, Call.REFUSED, Call.HOST_ERROR, Call.MEMORY_INFO, Call.FAILED}
)
"""Calls that work after a kernel has failed."""

_GROUPS = (
    MemoryCalls,
    CopyCalls,
    KernelCalls,
    ModuleCalls,
    StreamCalls,
    ProgramCalls,
    ArrayCalls,
    TextureCalls,
    DeviceCalls,
    ErrorCalls,
    HostErrors,
)
_GRAPH_GROUPS = (CaptureCalls, GraphCalls)


class DeviceProcess:
    """Holds the device of one program until the program ends."""

    def __init__(self, state: State, fails: int | None = None, window: CallWindow | None = None) -> None:
        """``fails`` is the number of the checkable call that fails; ``window`` that of a function's call."""
        self._state = state
        self._host: list[tuple[Spent, SourceLocation]] = []
        self.checkable = Checkable(state.findings, fails)
        self.clock = ClockCalls(state, window)
        self.calls = 0
        self._answers: dict[Call, Callable[[Request], Reply]] = {}
        for group in _GROUPS:
            self._answers |= group(state).answers
        tables = GraphTables(state=state)
        for graph_group in _GRAPH_GROUPS:
            self._answers |= graph_group(tables).answers
        self._answers |= self.clock.answers
        self._rules = CaptureRules(state)

    def serve(self) -> None:
        """Answer calls until the program ends."""
        while (asked := self._state.channel.receive()) is not None:
            self.calls += 1
            self.clock.count(asked)
            self._select(asked)
            failure = None if self.clock.is_over else self.checkable.failure(asked)
            self._pass_host_time(asked)
            if failure is not None:
                reply = failure
            elif self._state.sticky and asked.call not in _ALWAYS_ANSWERED:
                reply = Reply(self._state.sticky)
            else:
                reply = self._rules.refusal(asked) or self._answers[asked.call](asked)
            if asked.call is Call.TOUCH:  # the program's fault handler reads nothing else
                self._state.channel.send(reply)
            else:
                self._state.channel.send(
                    reply, self._state.kernels.printer.take(), tuple(self._state.schedule.pending)
                )
        if not self._state.has_ended:  # it crashed, or was ended
            self._state.schedule.wait_for_all()

    def _select(self, asked: Request) -> None:
        """Use the device and the default stream of the thread that calls."""
        self._state.schedule.device, self._state.schedule.thread = asked.device, asked.thread
        self._state.memory.device = asked.device

    @property
    def activities(self) -> tuple[Activity, ...]:
        """What took time, by its start."""
        done = (
            Activity(
                lane=work.lane,
                name=work.name,
                stream=work.stream,
                device=work.device,
                start=work.start,
                end=work.end,
                location=self._state.findings.line(work.site),
                moved_bytes=work.moved_bytes,
                is_pinned=work.is_pinned,
            )
            for work in self._state.schedule.done
            if work.lane is not None
        )
        host = (
            Activity(
                lane=Lane.HOST,
                name=None,
                stream=0,
                start=spent.start,
                end=spent.start + spent.seconds,
                location=location,
            )
            for spent, location in self._host
        )
        return tuple(sorted(self.clock.within(chain(host, done)), key=lambda each: each.start))

    def _pass_host_time(self, asked: Request) -> None:
        """Let the modelled clock go on by what the program computed itself, up to its end."""
        if self._state.has_ended:
            return
        spent = self._state.schedule.times.spend(asked.host_seconds)
        if asked.host_seconds > _SHOWN_SECONDS:
            self._host.append((spent, self._state.findings.line(asked.site)))
