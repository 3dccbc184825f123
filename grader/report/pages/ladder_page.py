"""Ladders as one self-contained page: a plot and a table per lab and case."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.messages import Speech
from grader.model.ladder import LadderReport, Provenance, RungTiming
from grader.report.files import write_atomically
from grader.report.pages.environment import render_page
from grader.report.plots.ladder import LadderPlot, plot
from grader.report.tables import Column, ladder_cases, ladder_columns


@dataclass(frozen=True, slots=True)
class _Section:
    """The template's data for one lab and case."""

    plot: LadderPlot
    title: str
    columns: tuple[Column[RungTiming], ...]
    rows: tuple[RungTiming, ...]


def render(ladders: Sequence[LadderReport], made: Provenance, language: str = "en") -> str:
    """The page; all ``ladders`` come from one engine."""
    speech = Speech(language)
    sections = [
        _Section(
            plot(ladder, rows, f"{ladder.lab} {ladder.version}", speech),
            speech(title),
            ladder_columns(ladder, speech),
            tuple(rows),
        )
        for ladder in ladders
        for title, rows in ladder_cases(ladder)
    ]
    return render_page("ladder.html.j2", language=language, sections=sections, first=ladders[0], made=made)


def write(path: Path, ladders: Sequence[LadderReport], made: Provenance, language: str = "en") -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(ladders, made, language).encode())
