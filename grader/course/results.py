"""The results of a run and of the whole course, and the files that hold them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.document import results_document
from grader.course.records import Result
from grader.model.report import EngineInfo, ResultsDocument
from grader.model.submission import SourceFile
from grader.report import csv_file, results_json
from grader.report.pages import class_page
from grader.report.summary import ordered
from grader.store.values import SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """Results with the submitted files by student and lab."""

    document: ResultsDocument
    sources: Mapping[tuple[str, str], tuple[SourceFile, ...]]


def results_of(
    engine: EngineInfo,
    results: Iterable[Result],
    files: Callable[[SubmissionKey], tuple[SourceFile, ...]],
) -> Results:
    """``results`` as a document of ``engine``; a report that another engine ran says so."""
    listed = tuple(results)
    reports = (
        result.report
        if result.report.engine is not None or result.score.engine == engine
        else replace(result.report, engine=result.score.engine)
        for result in listed
    )
    keys = [result.score.key for result in listed]
    return Results(
        document=results_document(engine, ordered(reports)),
        sources={(key.student, key.lab): files(key) for key in keys},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFiles:
    """Where results go: files in ``folder`` hold the whole course, a file named by the user holds one run.

    The page is in ``language``; the other two are for programs and in English.
    """

    folder: Path
    json: Path | None = None
    csv: Path | None = None
    html: Path | None = None
    language: str = "en"

    @property
    def paths(self) -> dict[str, Path]:
        """The three files by the name of their format."""
        return {
            "json": self.json or self.folder / "results.json",
            "csv": self.csv or self.folder / "grades.csv",
            "html": self.html or self.folder / "report.html",
        }

    def write(self, run: Results, course: Results) -> None:
        """Write all three, each as a whole. Raises: ``UserError`` for one that cannot be written."""
        paths = self.paths
        results_json.write(paths["json"], (run if self.json else course).document)
        csv_file.write(paths["csv"], (run if self.csv else course).document.reports)
        page = run if self.html else course
        class_page.write(paths["html"], page.document, page.sources, self.language)
