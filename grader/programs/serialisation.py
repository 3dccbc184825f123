"""What the legacy default stream costs: work that waits for it, or that it waits for, without memory in common."""

from dataclasses import dataclass, field

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import reason
from grader.programs.findings import Findings
from grader.programs.memory import ProgramMemory
from grader.programs.schedule import Schedule, is_legacy
from grader.programs.wire import Site
from grader.programs.work import Work

_LEAST_SHARE, _LEAST_SECONDS = 0.05, 10e-6
"""Less than this of the time of all work is not worth a finding."""


@dataclass(slots=True)
class _Cost:
    """What one line costs others."""

    work: Work
    seconds: float = 0.0
    delayed: set[Site] = field(default_factory=set)


class Serialisation:
    """Sums up delays by the line in the default stream."""

    def __init__(self, schedule: Schedule, memory: ProgramMemory, findings: Findings) -> None:
        self._schedule = schedule
        self._memory = memory
        self._findings = findings
        self._used: dict[Work, frozenset[int]] = {}
        self._unrelated: dict[Work, frozenset[Work]] = {}

    def check(self, work: Work) -> None:
        """Note the memory that work used, which has just run, and what it waits for without memory in common."""
        if work.implied or self._may_delay():
            self._used[work] = self._allocations(work)
        if work.implied and work.lane is not None:
            mine = self._used[work]
            self._unrelated[work] = frozenset(
                each for each in work.implied if not mine & self._used.get(each, frozenset())
            )
        if self._schedule.is_idle:
            self._used.clear()

    def say(self) -> None:
        """Note what the default stream cost, at the end of the program."""
        self._schedule.times.settle()
        done = self._schedule.done
        span = max((each.end for each in done), default=0.0) - min((each.start for each in done), default=0.0)
        for site, cost in self._costs().items():
            if cost.seconds < max(_LEAST_SHARE * span, _LEAST_SECONDS):
                continue
            said = reason(
                "default-stream-serialises",
                name=cost.work.name,
                line=self._findings.line(min(cost.delayed)).line or 0,
                lost=round(1e6 * cost.seconds),
                share=round(100 * cost.seconds / span),
            )
            line, advice = self._findings.line(site), reason("leave-default-stream")
            self._findings.warning(DiagnosticKind.SERIALISATION, line, said, advice)

    def _costs(self) -> dict[Site, _Cost]:
        costs: dict[Site, _Cost] = {}
        for work, unrelated in self._unrelated.items():
            last = max(work.implied, key=lambda each: each.end)
            if work.delay and last in unrelated:
                cause = work if is_legacy(work.key) else last
                cost = costs.setdefault(cause.site, _Cost(cause))
                cost.seconds += work.delay
                cost.delayed.add(last.site if cause is work else work.site)
        return costs

    def _may_delay(self) -> bool:
        """Whether work may wait for other work only because of the default stream."""
        streams = [each for each in self._schedule.streams.values() if each.is_blocking and each.last]
        return len(streams) > 1 and any(
            is_legacy(key) and each.last for key, each in self._schedule.streams.items()
        )

    def _allocations(self, work: Work) -> frozenset[int]:
        """The allocations that work used; a mark stands for all that it waits for."""
        if work.lane is None:
            return frozenset().union(*(self._used.get(each, frozenset()) for each in work.after))
        return frozenset(self._memory.window(touched.start) for touched in work.touched())
