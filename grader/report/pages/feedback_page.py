"""One student's feedback as a self-contained page, in the student's language."""

from dataclasses import dataclass

from grader.model.report import EngineInfo, Report, ResultsDocument
from grader.report.annotate import findings
from grader.report.feedback import reports_of
from grader.report.pages.environment import render_page
from grader.report.pages.submission_view import (
    Listing,
    Printed,
    Sources,
    Time,
    listing_of,
    printed_of,
    times_of,
)
from grader.report.quantities import is_modelled


@dataclass(frozen=True, slots=True)
class _Section:
    """The template's data for one submission; ``listing`` has all findings at the lines of the student's source."""

    anchor: str
    report: Report
    listing: Listing
    times: tuple[Time, ...]
    printed: tuple[Printed, ...]


def render(student: str, document: ResultsDocument, sources: Sources, language: str = "en") -> str:
    """The page of the student's submissions in ``document``, redacted, with lines of ``sources`` at the findings.

    Raises: ``ValueError`` for an unknown language.
    """
    reports = reports_of(student, document)
    return render_page(
        "feedback.html.j2",
        language=language,
        student=student,
        made=document,
        modelled=is_modelled(document.engine),
        sections=[
            _section(f"report-{number}", report, report.engine or document.engine, sources)
            for number, report in enumerate(reports, start=1)
        ],
    )


def _section(anchor: str, report: Report, engine: EngineInfo, sources: Sources) -> _Section:
    printed = (printed_of(kernel) for kernel in report.kernels)
    return _Section(
        anchor=anchor,
        report=report,
        listing=listing_of(anchor, findings(report), sources.get((report.student, report.lab), ()), {}),
        times=times_of(report, engine),
        printed=tuple(shown for shown in printed if shown is not None),
    )
