"""What one student reads about the submissions to all labs."""

from grader.model.report import Report, ResultsDocument
from grader.report.redact import redact
from grader.report.summary import ordered


def reports_of(student: str, document: ResultsDocument) -> tuple[Report, ...]:
    """The reports of ``student`` by lab, as the student may read them."""
    return ordered(redact(report) for report in document.reports if report.student == student)


def moment(document: ResultsDocument) -> str:
    """When ``document`` was made, in a form that every language reads: ``2026-11-27 09:30 UTC``."""
    return f"{document.created_at[:16].replace('T', ' ')} UTC"
