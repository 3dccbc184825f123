"""The kernel of a report that ranks its submission."""

from grader.model.report import Report, Speedup
from grader.model.verdict import Verdict


def fastest(report: Report) -> tuple[str, Speedup] | None:
    """The accepted kernel with the best speedup, by name, and that speedup; flagged kernels do not count."""
    accepted = [
        (kernel.name, kernel.speedup)
        for kernel in report.kernels
        if kernel.verdict is Verdict.ACCEPTED and kernel.speedup is not None
    ]
    return max(accepted, key=lambda pair: pair[1].value, default=None)
