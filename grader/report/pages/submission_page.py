"""One submission, or a few, as one self-contained page without scripts."""

from collections.abc import Sequence
from pathlib import Path

from grader.model.report import EngineInfo, Report, ResultsDocument
from grader.model.submission import SourceFile
from grader.report.files import write_atomically
from grader.report.pages.environment import render_page
from grader.report.pages.submission_view import Sources, submission_view
from grader.report.profile import COLUMNS
from grader.report.redact import Audience, for_audience
from grader.report.summary import ordered, trust_note


def render(document: ResultsDocument, sources: Sources, audience: Audience, language: str = "en") -> str:
    """Every report of ``document``, with source lines where ``sources`` has them."""
    reports = ordered(for_audience(report, audience) for report in document.reports)
    sections = [
        submission_view(
            f"report-{number}",
            report,
            report.engine or document.engine,
            sources.get((report.student, report.lab), ()),
            language,
        )
        for number, report in enumerate(reports, start=1)
    ]
    return render_page(
        "submissions.html.j2",
        language=language,
        sections=sections,
        engine=document.engine,
        made=document,
        trust_note=trust_note(reports),
        columns=COLUMNS,
        class_page=None,
    )


def render_beside(
    report: Report, engine: EngineInfo, files: Sequence[SourceFile], class_page: str, language: str
) -> str:
    """The page of one report for staff, with a link to ``class_page``.

    It does not show when it was written, so the page of an unchanged report stays the same.
    """
    return render_page(
        "submissions.html.j2",
        language=language,
        sections=[submission_view("report-1", report, engine, files, language)],
        engine=engine,
        made=None,
        trust_note=trust_note([report]),
        columns=COLUMNS,
        class_page=class_page,
    )


def write(
    path: Path, document: ResultsDocument, sources: Sources, audience: Audience, language: str = "en"
) -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(document, sources, audience, language).encode())
