"""What a class looks like from above: the order of its reports, its verdicts and each one's headline speedup."""

from collections.abc import Iterable

from grader.model.report import Report, Speedup
from grader.model.text import natural_key
from grader.model.verdict import Verdict


def ordered(reports: Iterable[Report]) -> tuple[Report, ...]:
    """Reports by lab, then by student, in the order people expect (``student-2`` before ``student-10``)."""
    return tuple(
        sorted(reports, key=lambda r: (natural_key(r.lab), natural_key(r.student), r.lab, r.student, r.file)),
    )


def verdict_counts(reports: Iterable[Report]) -> tuple[tuple[Verdict, int], ...]:
    """How many reports ended with each verdict that occurs, in the order of ``Verdict``."""
    verdicts = [report.verdict for report in reports]
    return tuple((verdict, verdicts.count(verdict)) for verdict in Verdict if verdict in verdicts)


def headline(report: Report) -> Speedup | None:
    """The best speedup among the kernels that were accepted; a suspicious one waits for a person."""
    kernel = fastest(report)
    return None if kernel is None else kernel[1]


def fastest(report: Report) -> tuple[str, Speedup] | None:
    """The accepted kernel with the best speedup, by name, and that speedup."""
    accepted = [
        (kernel.name, kernel.speedup)
        for kernel in report.kernels
        if kernel.verdict is Verdict.ACCEPTED and kernel.speedup is not None
    ]
    return max(accepted, key=lambda pair: pair[1].value, default=None)
