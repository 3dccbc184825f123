"""Where the time of a program runs: from its first call on, or while a ``main`` of the judge's calls its function."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from grader.model.program import Activity, Lane
from grader.programs.call_window import CallWindow
from grader.programs.device_state import State
from grader.programs.harness.wire import Clock
from grader.programs.modelled_clock import Spent
from grader.programs.wire import Call, Reply, Request

_WAITS = frozenset({Call.STREAM_WAIT, Call.EVENT_WAIT, Call.DEVICE_WAIT})
"""Calls that only wait."""


class ClockCalls:
    """Answers the judge's ``main``, and counts what belongs to the program's time.

    A program that speaks in the place of that ``main`` gains nothing: the time begins once, before the judge sends the
    inputs, and ends with the last call before the judge has the answer.
    """

    def __init__(self, state: State, window: CallWindow | None) -> None:
        """``window`` is that of the call of a function; ``None`` for a program with a ``main`` of its own."""
        self._state = state
        self._window = window
        self._start = Spent(0.0)
        self._end: Spent | None = None
        self.synchronisations = 0
        self.host_seconds = 0.0
        """What the program says that it computed itself."""

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.CLOCK: self._set}

    def count(self, asked: Request) -> None:
        """Count a call of the program."""
        if self._window is not None and not self._window.is_closed:
            self._end = None
        if self._end is None:
            self.synchronisations += asked.call in _WAITS
            self.host_seconds += asked.host_seconds

    @property
    def is_over(self) -> bool:
        """Whether the judge has the answer, so that the program only releases what it has."""
        return self._window is not None and self._window.is_closed

    @property
    def seconds(self) -> float:
        """The program's time on the modelled clock."""
        return self._until - self._start.start

    @property
    def _until(self) -> float:
        times = self._state.schedule.times
        times.settle()
        return times.now if self._end is None else self._end.start

    def within(self, activities: Iterable[Activity]) -> Iterator[Activity]:
        """What began while the time ran, by that clock."""
        start, end = self._start.start, self._until
        for each in activities:
            if start <= each.start <= end:
                yield replace(each, start=each.start - start, end=each.end - start)

    @property
    def launches(self) -> int:
        """How many kernels ran in that time."""
        times, until = ((work.lane, work.start) for work in self._state.schedule.done), self._until
        return sum(lane is Lane.KERNELS and self._start.start <= start <= until for lane, start in times)

    def _set(self, asked: Request) -> Reply:
        if self._window is None:
            return Reply()
        now = Clock(asked.arguments[0])
        if now is Clock.PREPARED:
            self._state.schedule.wait_for_all()
            mark = self._state.schedule.times.spend(0.0)
            if self._window.open():
                self._start, self.synchronisations, self.host_seconds = mark, 0, 0.0
        elif now is Clock.STOPPED and not self._window.is_closed:
            self._end = self._state.schedule.times.spend(0.0)
        return Reply()
