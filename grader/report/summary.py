"""Summaries of a class: order of reports, verdict counts, trusted submissions, best speedups."""

from collections.abc import Iterable

from grader.model.fastest import fastest
from grader.model.reason import Reason, reason
from grader.model.report import Report, Speedup
from grader.model.text import natural_key
from grader.model.verdict import Verdict


def ordered(reports: Iterable[Report]) -> tuple[Report, ...]:
    """Reports by lab, then by student, in the order people expect (``student-2`` before ``student-10``)."""
    return tuple(
        sorted(reports, key=lambda r: (natural_key(r.lab), natural_key(r.student), r.lab, r.student, r.file)),
    )


def verdict_counts(reports: Iterable[Report]) -> tuple[tuple[Verdict, int], ...]:
    """The number of reports per verdict that occurs, in the order of ``Verdict``."""
    verdicts = [report.verdict for report in reports]
    return tuple((verdict, verdicts.count(verdict)) for verdict in Verdict if verdict in verdicts)


def trust_note(reports: Iterable[Report]) -> Reason | None:
    """A sentence on trusted submissions and the sandboxes they ran in; ``None`` without any."""
    used = [report.isolation.sandbox for report in reports if report.isolation and report.isolation.trusted]
    if not used:
        return None
    return reason("trusted", count=len(used), sandboxes=tuple(sorted(set(used))))


def has_score(report: Report) -> bool:
    """Whether the report has a score, which differs from 0: one without was not gradable, or its student is excused."""
    if report.adjustment is not None:
        return not report.adjustment.excused
    return report.verdict is not Verdict.NOT_GRADABLE


def best_speedup(report: Report) -> Speedup | None:
    """The best speedup among accepted kernels; suspicious kernels do not count until staff clear them."""
    kernel = fastest(report)
    return None if kernel is None else kernel[1]
