"""Sweeps as one self-contained page of plots and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.messages import Speech
from grader.model.sweep import SweepReport, SweepRow
from grader.report.files import write_atomically
from grader.report.pages.environment import render_page
from grader.report.plots.sweep import SweepPlot, plot
from grader.report.tables import Column, sweep_columns, sweep_title


@dataclass(frozen=True, slots=True)
class _Section:
    """The template's data for one sweep."""

    report: SweepReport
    plot: SweepPlot
    columns: tuple[Column[SweepRow], ...]
    title: str


def render(reports: Sequence[SweepReport], language: str = "en") -> str:
    """The page; all ``reports`` come from one file."""
    speech = Speech(language)
    sections = [
        _Section(report, plot(report, speech), sweep_columns(report, speech), speech(sweep_title(report)))
        for report in reports
    ]
    return render_page("sweep.html.j2", language=language, sections=sections, first=reports[0])


def write(path: Path, reports: Sequence[SweepReport], language: str = "en") -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(reports, language).encode())
