"""Where the time of a program runs: from its first call on, or while a ``main`` of the judge's calls its function."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import IntEnum

from grader.model.program import Activity
from grader.programs.device_state import State
from grader.programs.modelled_clock import Spent
from grader.programs.wire import Call, Reply, Request

_WAITS = frozenset({Call.STREAM_WAIT, Call.EVENT_WAIT, Call.DEVICE_WAIT})
"""Calls that only wait."""


class Clock(IntEnum):
    """What the judge's ``main`` says: all work of the preparation must end here, the time starts, the time ends."""

    PREPARED = 0
    RUNS = 1
    STOPPED = 2


class ClockCalls:
    """Answers the judge's ``main``, and counts what belongs to the program's time."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._start = Spent(0.0)
        self._end: Spent | None = None
        self.synchronisations = 0

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.CLOCK: self._set}

    def count(self, call: Call) -> None:
        """Count a call of the program."""
        self.synchronisations += self._end is None and call in _WAITS

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

    def _set(self, asked: Request) -> Reply:
        now = Clock(asked.arguments[0])
        mark = self._state.schedule.times.spend(0.0)
        if now is Clock.PREPARED:
            self._state.schedule.wait_for_all()
        elif now is Clock.RUNS:
            self._start, self._end, self.synchronisations = mark, None, 0
        else:
            self._end = mark
        return Reply()
