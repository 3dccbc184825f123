"""What one student reads about the submissions to all labs."""

from grader.model.report import Report, ResultsDocument
from grader.report.redact import redact
from grader.report.summary import ordered


def reports_of(student: str, document: ResultsDocument) -> tuple[Report, ...]:
    """The reports of ``student`` by lab, as the student may read them."""
    return ordered(redact(report) for report in document.reports if report.student == student)
