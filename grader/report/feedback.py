"""What one student reads about the submissions to all labs."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.model.reason import Reason
from grader.model.report import CaseReport, Report, ResultsDocument, Visibility
from grader.model.verdict import Verdict
from grader.report.redact import redact
from grader.report.summary import ordered


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """Cases with one result. ``reason`` is missing for several hidden cases, which have nothing but a verdict."""

    names: tuple[str, ...]
    verdict: Verdict
    reason: Reason | None


def reports_of(student: str, document: ResultsDocument) -> tuple[Report, ...]:
    """The reports of ``student`` by lab, as the student may read them."""
    return ordered(redact(report) for report in document.reports if report.student == student)


def case_groups(cases: Iterable[CaseReport]) -> tuple[CaseGroup, ...]:
    """``cases`` of a redacted report, with equal results together, in the order in which they first occur."""
    groups: dict[tuple[Verdict, Reason | None], list[CaseReport]] = {}
    for case in cases:
        key = (case.verdict, None if case.visibility is Visibility.HIDDEN else case.reason)
        groups.setdefault(key, []).append(case)
    return tuple(
        CaseGroup(
            names=tuple(case.name for case in found),
            verdict=verdict,
            reason=found[0].reason if len(found) == 1 else reason,
        )
        for (verdict, reason), found in groups.items()
    )
