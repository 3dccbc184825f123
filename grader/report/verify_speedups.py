"""Recompute stored speedups from the samples stored with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.judge.speed import replayed
from grader.model.report import KernelReport, Report, Speedup
from grader.model.verdict import Verdict
from grader.report.summary import ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedupCheck:
    """One kernel's stored speedup, and the one its samples give (``None`` without samples)."""

    report: Report
    kernel: str
    stored: Speedup
    recomputed: Speedup | None

    @property
    def matches(self) -> bool:
        """Whether both are exactly equal."""
        return self.stored == self.recomputed


def check_speedups(reports: Iterable[Report]) -> tuple[SpeedupCheck, ...]:
    """Recompute every speedup that can rank an accepted submission."""
    return tuple(
        SpeedupCheck(
            report=report,
            kernel=kernel.name,
            stored=kernel.speedup,
            recomputed=_recomputed(kernel, kernel.speedup),
        )
        for report in ordered(reports)
        if report.verdict is Verdict.ACCEPTED
        for kernel in report.kernels
        if kernel.speedup is not None
    )


def _recomputed(kernel: KernelReport, stored: Speedup) -> Speedup | None:
    timing = next((timing for timing in kernel.timings if timing.rung == stored.baseline), None)
    return replayed(timing) if timing is not None and timing.pairs else None
