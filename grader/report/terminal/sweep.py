"""A sweep as a table in a terminal: one row per value, with its time and resources."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.sweep import SweepFigure, SweepReport
from grader.model.verdict import Verdict
from grader.report import palette
from grader.report.tables import sweep_columns, sweep_title
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text


def sweep_table(report: SweepReport) -> RenderableType:
    """The whole sweep, the best value in green; a line says whether times are measured or modelled."""
    shown = sweep_columns(report)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(safe_name(report.over), justify="right", no_wrap=True)
    for column in shown[:-1]:
        table.add_column(safe_text(column.heading), justify="right", no_wrap=True)
    table.add_column(safe_text(shown[-1].heading), overflow="fold")
    for row in report.rows:
        style = f"bold {palette.GREEN}" if row == report.best else ""
        cells = (Text(column.cell(row), style=style) for column in shown)
        table.add_row(Text(str(row.value), style=style or "bold"), *cells)
    head = Text(safe_text(f"{report.lab}: {sweep_title(report)}", MESSAGE_LIMIT), style="bold")
    origin = f"{report.file} ({report.language}); {report.engine.kind} engine, {report.engine.device}"
    kind = f"{report.kind} times"
    lines = (Text(safe_text(line, MESSAGE_LIMIT), style=palette.GREY) for line in (origin, kind))
    return Group(head, *lines, table, *_notes(report))


def _notes(report: SweepReport) -> Iterator[Text]:
    for row in report.rows:
        if row.verdict is not Verdict.ACCEPTED:
            yield Text.assemble(
                (f"{safe_name(report.over)} {row.value} ", "bold"),
                (row.verdict, palette.VERDICT[row.verdict]),
                (f": {safe_text(row.reason, MESSAGE_LIMIT)}", palette.GREY),
            )
    if report.best is not None:
        most = "highest bandwidth" if report.shows is SweepFigure.BANDWIDTH else "fastest"
        yield Text(f"{most} at {safe_name(report.over)} = {report.best.value}", style=palette.GREEN)
