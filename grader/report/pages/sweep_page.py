"""Sweeps as one page that needs nothing else: plots, tables, and what each of them means."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.sweep import SweepReport, SweepRow
from grader.report.files import write_atomically
from grader.report.pages.environment import environment, style
from grader.report.plots.sweep import SweepPlot, plot
from grader.report.tables import Column, sweep_columns, sweep_title


@dataclass(frozen=True, slots=True)
class _Section:
    """One sweep, ready to be laid out."""

    report: SweepReport
    plot: SweepPlot
    columns: tuple[Column[SweepRow], ...]
    title: str


def render(reports: Sequence[SweepReport]) -> str:
    """The page; all ``reports`` are of one file."""
    sections = [
        _Section(report, plot(report), sweep_columns(report), sweep_title(report)) for report in reports
    ]
    return environment().get_template("sweep.html.j2").render(sections=sections, first=reports[0], **style())


def write(path: Path, reports: Sequence[SweepReport]) -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(reports).encode())
