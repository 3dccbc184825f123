"""The columns of a sweep's table, wherever it is shown: what each value came to, and the needs that explain it."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.report import quantities
from grader.report.text import safe_name


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of every row, under ``heading``; ``None`` where the row has none."""

    heading: str
    text: Callable[[SweepRow], str | None]

    def cell(self, row: SweepRow) -> str:
        """The figure, or a dash."""
        return self.text(row) or quantities.NOTHING


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
