"""A sweep as one page that needs nothing else: the plot, the table, and what each of them means."""

from pathlib import Path

from grader.model.sweep import SweepReport
from grader.report.files import write_atomically
from grader.report.page import environment, style
from grader.report.sweep_plot import plot
from grader.report.sweep_terminal import columns, subject


def render(report: SweepReport) -> str:
    """The page."""
    template = environment().get_template("sweep.html.j2")
    return template.render(
        report=report, plot=plot(report), columns=columns(report), subject=subject(report), **style()
    )


def write(path: Path, report: SweepReport) -> None:
    """Write the page to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, render(report).encode())
