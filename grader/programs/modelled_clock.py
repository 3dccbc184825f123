"""The modelled clock of a program: its host code, its engines, and what waits for what.

Work runs here when something waits for it, and how long a kernel takes is known only then. An engine takes its work in
the order in which it was issued, though. So what the host does is kept as steps, and times come from going through
them: every step up to the first work that has not run is final, later ones are estimates.
"""

from collections import deque
from dataclasses import dataclass, field

from grader.model.program import Lane
from grader.programs.work import Work


@dataclass(slots=True)
class Spent:
    """Time of the host: from ``start``, in seconds on the clock, for ``seconds``."""

    seconds: float
    start: float = 0.0


@dataclass(frozen=True, slots=True)
class _Waited:
    work: Work


_Step = Spent | _Waited | Work


@dataclass(slots=True)
class _Times:
    """Where the host and the engines of each device are."""

    now: float = 0.0
    busy: dict[tuple[int, Lane], float] = field(default_factory=dict)

    def take(self, step: _Step) -> None:
        """Go on by one step."""
        if isinstance(step, Spent):
            step.start = self.now
            self.now += step.seconds
        elif isinstance(step, _Waited):
            self.now = max(self.now, step.work.end)
        else:
            self._issue(step)

    def _issue(self, work: Work) -> None:
        free = 0.0 if work.lane is None else self.busy.get((work.device, work.lane), 0.0)
        alone = max(self.now, free, *(each.end for each in work.after if each not in work.implied), 0.0)
        work.start = max(alone, *(each.end for each in work.implied), 0.0)
        work.end, work.delay = work.start + work.seconds, work.start - alone
        if work.lane is not None:
            self.busy[work.device, work.lane] = work.end


class ModelledClock:
    """The host's time in seconds, ``now``, and the times of all work, as the last ``settle`` left them."""

    def __init__(self) -> None:
        self._final = _Times()
        self._steps: deque[_Step] = deque()
        self.now = 0.0

    def spend(self, seconds: float) -> Spent:
        """Let the host take ``seconds``. The clock may still move what it returns."""
        spent = Spent(seconds, self.now)
        self._steps.append(spent)
        self.now += seconds
        return spent

    def issue(self, work: Work) -> None:
        """The host issues ``work``."""
        self._steps.append(work)

    def wait(self, work: Work) -> None:
        """The host waits for ``work``, which has run."""
        self._steps.append(_Waited(work))
        self._finish()

    def settle(self) -> None:
        """Give everything its time, by what has run so far."""
        self._finish()
        estimated = _Times(self._final.now, dict(self._final.busy))
        for step in self._steps:
            estimated.take(step)
        self.now = estimated.now

    def _finish(self) -> None:
        """Give what is final its time."""
        while self._steps and not (isinstance(self._steps[0], Work) and not self._steps[0].is_done):
            self._final.take(self._steps.popleft())
