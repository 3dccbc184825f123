"""Whether a place on a leaderboard follows from the samples that are kept with it."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.judge.speed import replayed
from grader.model.report import KernelReport, Report, ResultsDocument, Speedup
from grader.model.verdict import Verdict
from grader.report.summary import ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One kernel's stored speedup, and what its stored samples give: nothing where there are none."""

    report: Report
    kernel: str
    stored: Speedup
    again: Speedup | None

    @property
    def holds(self) -> bool:
        """Whether both are the same, to the last digit."""
        return self.stored == self.again


def checks(documents: Iterable[ResultsDocument]) -> tuple[Check, ...]:
    """Every speedup that an accepted submission can be ranked by, worked out again."""
    reports = (report for document in documents for report in document.reports)
    return tuple(
        Check(report=report, kernel=kernel.name, stored=kernel.speedup, again=_again(kernel, kernel.speedup))
        for report in ordered(reports)
        if report.verdict is Verdict.ACCEPTED
        for kernel in report.kernels
        if kernel.speedup is not None
    )


def _again(kernel: KernelReport, stored: Speedup) -> Speedup | None:
    timing = next((timing for timing in kernel.timings if timing.rung == stored.baseline), None)
    return replayed(timing) if timing is not None and timing.pairs else None
