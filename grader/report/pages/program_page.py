"""The run of a program as one self-contained page: what was found, its timeline, and its source."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.messages import Speech
from grader.model.program import ProgramRun
from grader.model.submission import SourceFile
from grader.report.annotate import Finding
from grader.report.files import write_atomically
from grader.report.pages.environment import render_page
from grader.report.pages.submission_view import listing_of
from grader.report.plots.timeline import TimelinePlot, plot
from grader.report.program_end import end_of, is_clean, times_of
from grader.report.timeline import timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """The template's data about the run as a whole."""

    title: str
    end: str
    is_clean: bool
    has_findings: bool
    plot: TimelinePlot | None
    times: str


def render(
    title: str, run: ProgramRun, device: str, sources: Sequence[SourceFile], language: str = "en"
) -> str:
    """The page; ``title`` is the program's name. Raises: ``ValueError`` for an unknown language."""
    found = [Finding(diagnostic, diagnostic.kernel or None) for diagnostic in run.diagnostics]
    drawn = timeline(run.activities)
    speech = Speech(language)
    shown = _Shown(
        title=title,
        end=speech(end_of(run, device)),
        is_clean=is_clean(run),
        has_findings=bool(found),
        plot=None if drawn is None else plot(drawn, speech),
        times=speech(times_of(run, device)),
    )
    listing = listing_of("program", found, sources, {})
    return render_page("program.html.j2", language=language, shown=shown, listing=listing)


def write(  # noqa: PLR0913, PLR0917 - what a page shows
    path: Path, title: str, run: ProgramRun, device: str, sources: Sequence[SourceFile], language: str = "en"
) -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(title, run, device, sources, language).encode())
