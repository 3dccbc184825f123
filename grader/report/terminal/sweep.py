"""A sweep as a table in a terminal: one row per value, with its time and resources."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.sweep import SweepReport
from grader.model.verdict import Verdict
from grader.report import palette
from grader.report.plots.sweep import best_value
from grader.report.tables import sweep_columns, sweep_title
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text


def sweep_table(report: SweepReport, speech: Speech = ENGLISH) -> RenderableType:
    """The whole sweep, the best value in green; a line says whether times are measured or modelled."""
    shown = sweep_columns(report, speech)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(safe_name(report.over), justify="right", no_wrap=True)
    for column in shown[:-1]:
        table.add_column(safe_text(column.heading), justify="right", no_wrap=True)
    table.add_column(safe_text(shown[-1].heading), overflow="fold")
    for row in report.rows:
        style = f"bold {palette.GREEN}" if row == report.best else ""
        cells = (Text(column.cell(row), style=style) for column in shown)
        table.add_row(Text(str(row.value), style=style or "bold"), *cells)
    head = Text(safe_text(f"{report.lab}: {speech(sweep_title(report))}", MESSAGE_LIMIT), style="bold")
    ran_on = speech.says("ran-on", engine=report.engine.kind.value, device=report.engine.device)
    origin = f"{report.file} ({report.language}); {ran_on}"
    kind = speech.says("times-of-kind", kind=report.kind.value)
    lines = (Text(safe_text(line, MESSAGE_LIMIT), style=palette.GREY) for line in (origin, kind))
    return Group(head, *lines, table, *_notes(report, speech))


def _notes(report: SweepReport, speech: Speech) -> Iterator[Text]:
    for row in report.rows:
        if row.verdict is not Verdict.ACCEPTED:
            yield Text.assemble(
                (f"{safe_name(report.over)} {row.value} ", "bold"),
                (speech.word(row.verdict), palette.VERDICT[row.verdict]),
                (f": {safe_text(speech(row.reason), MESSAGE_LIMIT)}", palette.GREY),
            )
    if report.best is not None:
        yield Text(safe_text(speech(best_value(report)), MESSAGE_LIMIT), style=palette.GREEN)
