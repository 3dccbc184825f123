"""A sweep as a table in a terminal: what each value came to, and the needs that explain it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.model.verdict import Verdict
from grader.report import palette, quantities
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_MISSING = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of every row, under ``heading``; ``None`` where the row has none."""

    heading: str
    text: Callable[[SweepRow], str | None]

    def cell(self, row: SweepRow) -> str:
        """The figure, or a dash."""
        return self.text(row) or _MISSING


_TIME = Column("time", lambda row: None if row.seconds is None else quantities.seconds(row.seconds))
_BANDWIDTH = Column(
    "bandwidth", lambda row: None if row.bandwidth is None else quantities.bytes_per_second(row.bandwidth)
)
_NEEDS = (
    Column("regs", lambda row: None if row.registers is None else str(row.registers)),
    Column("spilled", lambda row: None if row.spill_bytes is None else quantities.size(row.spill_bytes)),
    Column("shared", lambda row: None if row.shared_bytes is None else quantities.size(row.shared_bytes)),
    Column("threads", lambda row: None if row.threads_per_block is None else str(row.threads_per_block)),
    Column(
        "occupancy",
        lambda row: None if row.occupancy is None else f"{quantities.share(row.occupancy)} {row.limiter}",
    ),
)


def columns(report: SweepReport) -> tuple[Column, ...]:
    """The columns after the value, for what ``report`` shows."""
    over = Column(
        f"over {safe_name(report.baseline)}",
        lambda row: None if row.speedup is None else quantities.times(row.speedup),
    )
    first = (_BANDWIDTH, _TIME) if report.shows is SweepFigure.BANDWIDTH else (_TIME, over)
    return (*first, *_NEEDS)


def subject(report: SweepReport) -> str:
    """What was swept, on what, in one line."""
    sizes = ", ".join(f"{name} = {size}" for name, size in report.sizes.items() if name != report.over)
    case = f"case {report.case} ({sizes})" if sizes else f"case {report.case}"
    return f"{report.kernel} over {report.over}, {case}"


def sweep_table(report: SweepReport) -> RenderableType:
    """The whole sweep; times are labelled as measured or modelled. The best value is green."""
    shown = columns(report)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(safe_name(report.over), justify="right", no_wrap=True)
    for column in shown[:-1]:
        table.add_column(safe_text(column.heading), justify="right", no_wrap=True)
    table.add_column(safe_text(shown[-1].heading), overflow="fold")
    for row in report.rows:
        style = f"bold {palette.GREEN}" if row == report.best else ""
        cells = (Text(column.cell(row), style=style) for column in shown)
        table.add_row(Text(str(row.value), style=style or "bold"), *cells)
    head = Text(safe_text(f"{report.lab}: {subject(report)}", MESSAGE_LIMIT), style="bold")
    where = f"{report.file} ({report.language}); {report.engine.kind} engine, {report.engine.device}"
    kind = f"{report.kind} times"
    lines = (Text(safe_text(line, MESSAGE_LIMIT), style=palette.GREY) for line in (where, kind))
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
        most = "most bytes a second" if report.shows is SweepFigure.BANDWIDTH else "fastest"
        yield Text(f"{most} at {safe_name(report.over)} = {report.best.value}", style=palette.GREEN)
