"""``report.html``: a graded class as a table of students and labs, with a page for each submission.

A class of up to ``ONE_FILE`` submissions is one self-contained file. The reports of a larger class are in files of a
folder beside the page, so that the page stays small.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
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


def render(document: ResultsDocument, sources: Sources | None = None, language: str = "en") -> str:
    """The page with every report in it; of a single submission, only its report."""
    if len(document.reports) == 1:
        return submission_page.render(document, sources or {}, Audience.STAFF, language)
    return _ClassPage(document, sources or {}, language).whole()


def write(
    path: Path, document: ResultsDocument, sources: Sources | None = None, language: str = "en"
) -> None:
    """Write the page to ``path``, and the reports of a large class into the folder beside it.

    A reader finds the old page with its reports or the new one: reports are written before the page, and reports that
    are no longer needed are removed after it.

    Raises: ``UserError`` where that is not possible.
    """
    file = Path(os.path.realpath(path))  # the folder is beside the file, not beside a link to it
    folder = folder_of(file)
    details: dict[str, Detail] = {}
    if len(document.reports) <= ONE_FILE or is_stream(path):
        write_atomically(path, render(document, sources, language).encode())
    else:
        page = _ClassPage(document, sources or {}, language)
        details = page.details(f"../{quote(file.name, errors='surrogateescape')}")
        write_details(folder, details)
        text = page.linked(quote(folder.name, errors="surrogateescape"))
        write_atomically(path, text.encode())
    remove_stale(folder, details)


@dataclass(frozen=True, slots=True)
class _ClassPage:
    """The page of ``document`` in ``language``."""

    document: ResultsDocument
    sources: Sources
    language: str

    def whole(self) -> str:
        """The page with all reports in it."""
        reports = ordered(self.document.reports)
        anchors = [f"report-{number}" for number in range(1, len(reports) + 1)]
        sections = [
            submission_view(anchor, report, self._engine(report), self._files(report), self.language)
            for anchor, report in zip(anchors, reports, strict=True)
        ]
        return self._page(reports, [f"#{anchor}" for anchor in anchors], sections=sections)

    def linked(self, folder: str) -> str:
        """The page with links to the reports in ``folder``."""
        reports = ordered(self.document.reports)
        links = [f"{folder}/{quote(name)}" for name in file_names(reports)]
        return self._page(reports, links, all_ranks=f"{folder}/{_ALL_RANKS}")

    def details(self, back: str) -> dict[str, Detail]:
        """The pages of the folder by file name, with links ``back``."""
        reports = ordered(self.document.reports)
        pages = {
            name: self._detail(report, back)
            for name, report in zip(file_names(reports), reports, strict=True)
        }
        return pages | {_ALL_RANKS: self._all_ranks(back)}

    def _page(
        self,
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
            language=self.language,
            made=self.document,
            engine=self.document.engine,
            counts=counts,
            segments=stacked(counts),
            trust_note=trust_note(reports),
            matrix=matrix(reports, links),
            words=WORDS,
            labs=lab_summaries(reports),
            boards=boards([self.document]),
            all_ranks=all_ranks,
            first_ranks=_FIRST_RANKS,
            sections=sections,
            columns=COLUMNS,
        )

    def _detail(self, report: Report, back: str) -> Detail:
        shown = (report, self._engine(report), tuple(self._files(report)), back, self.language)
        return Detail(digest=digest_of(*shown), render=partial(submission_page.render_beside, *shown))

    def _all_ranks(self, back: str) -> Detail:
        ranked, engine = boards([self.document]), self.document.engine
        return Detail(
            digest=digest_of(ranked, engine, back, self.language),
            render=lambda: render_page(
                "ranks.html.j2", language=self.language, boards=ranked, engine=engine, class_page=back
            ),
        )

    def _engine(self, report: Report) -> EngineInfo:
        return report.engine or self.document.engine

    def _files(self, report: Report) -> Sequence[SourceFile]:
        return self.sources.get((report.student, report.lab), ())
