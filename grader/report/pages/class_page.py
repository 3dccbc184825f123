"""``report.html``: a graded class as a table of students and labs, with a page for each submission.

A class of up to ``ONE_FILE`` submissions is one self-contained file. The reports of a larger class are in files of a
folder beside the page, so that the page stays small.
"""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from grader.model.report import EngineInfo, Report, ResultsDocument
from grader.model.submission import SourceFile
from grader.report.distribution import lab_summaries
from grader.report.files import is_stream, write_atomically
from grader.report.leaderboard import boards
from grader.report.pages import submission_page
from grader.report.pages.detail_files import (
    Detail,
    digest_of,
    file_names,
    folder_of,
    remove_stale,
    write_details,
)
from grader.report.pages.environment import render_page
from grader.report.pages.matrix import WORDS, matrix
from grader.report.pages.submission_view import Sources, SubmissionView, submission_view
from grader.report.plots.charts import stacked
from grader.report.profile import COLUMNS
from grader.report.redact import Audience
from grader.report.summary import ordered, trust_note, verdict_counts

ONE_FILE = 30
"""Most submissions of a class page that holds their reports."""

_ALL_RANKS = "leaderboards.html"
_FIRST_RANKS = 10
"""Entries of each leaderboard that the page of a large class shows."""


def render(document: ResultsDocument, sources: Sources | None = None) -> str:
    """The page with every report in it; of a single submission, only its report."""
    if len(document.reports) == 1:
        return submission_page.render(document, sources or {}, Audience.STAFF)
    reports = ordered(document.reports)
    links = [f"#report-{number}" for number in range(1, len(reports) + 1)]
    sections = [
        submission_view(
            link.removeprefix("#"), report, report.engine or document.engine, _files(report, sources)
        )
        for link, report in zip(links, reports, strict=True)
    ]
    return _page(document, reports, links, sections=sections)


def write(path: Path, document: ResultsDocument, sources: Sources | None = None) -> None:
    """Write the page to ``path``, and the reports of a large class into the folder beside it.

    A reader finds the old page with its reports or the new one: reports are written before the page, and reports that
    are no longer needed are removed after it.

    Raises: ``UserError`` where that is not possible.
    """
    details: dict[str, Detail] = {}
    if len(document.reports) <= ONE_FILE or is_stream(path):
        write_atomically(path, render(document, sources).encode())
    else:
        reports = ordered(document.reports)
        names = file_names(reports)
        back = f"../{quote(path.name, errors='surrogateescape')}"
        for name, report in zip(names, reports, strict=True):
            details[name] = _detail(report, report.engine or document.engine, _files(report, sources), back)
        details[_ALL_RANKS] = _all_ranks(document, back)
        write_details(folder_of(path), details)
        folder = quote(folder_of(path).name, errors="surrogateescape")
        links = [f"{folder}/{quote(name)}" for name in names]
        page = _page(document, reports, links, all_ranks=f"{folder}/{_ALL_RANKS}")
        write_atomically(path, page.encode())
    remove_stale(folder_of(path), details)


def _page(
    document: ResultsDocument,
    reports: Sequence[Report],
    links: Sequence[str],
    *,
    sections: Sequence[SubmissionView] = (),
    all_ranks: str = "",
) -> str:
    counts = verdict_counts(reports)
    return render_page(
        "class.html.j2",
        script="class.js",
        made=document,
        engine=document.engine,
        counts=counts,
        segments=stacked(counts),
        trust_note=trust_note(reports),
        matrix=matrix(reports, links),
        words=WORDS,
        labs=lab_summaries(reports),
        boards=boards([document]),
        all_ranks=all_ranks,
        first_ranks=_FIRST_RANKS,
        sections=sections,
        columns=COLUMNS,
    )


def _detail(report: Report, engine: EngineInfo, files: Sequence[SourceFile], back: str) -> Detail:
    return Detail(
        digest=digest_of(report, engine, tuple(files), back),
        render=lambda: submission_page.render_beside(report, engine, files, back),
    )


def _all_ranks(document: ResultsDocument, back: str) -> Detail:
    ranked = boards([document])
    return Detail(
        digest=digest_of(ranked, document.engine, back),
        render=lambda: render_page("ranks.html.j2", boards=ranked, engine=document.engine, class_page=back),
    )


def _files(report: Report, sources: Sources | None) -> Sequence[SourceFile]:
    return (sources or {}).get((report.student, report.lab), ())
