"""Columns of the sweep and ladder tables, shared by the terminal and the pages."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from grader.model.ladder import LadderReport, RungTiming
from grader.model.sweep import SweepFigure, SweepReport, SweepRow
from grader.report import quantities
from grader.report.text import safe_name

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One figure per row under ``heading``. ``text`` returns ``None`` where a row has no such figure."""

    heading: str
    text: Callable[[Row], str | None]

    def cell(self, row: Row) -> str:
        """The figure of ``row``, or a dash."""
        return self.text(row) or quantities.NOTHING


_TIME: Column[SweepRow] = Column(
    "time", lambda row: None if row.seconds is None else quantities.seconds(row.seconds)
)
_BANDWIDTH: Column[SweepRow] = Column(
    "bandwidth", lambda row: None if row.bandwidth is None else quantities.bytes_per_second(row.bandwidth)
)
_RESOURCES: tuple[Column[SweepRow], ...] = (
    Column("regs", lambda row: None if row.registers is None else str(row.registers)),
    Column("spilled", lambda row: None if row.spill_bytes is None else quantities.size(row.spill_bytes)),
    Column("shared", lambda row: None if row.shared_bytes is None else quantities.size(row.shared_bytes)),
    Column("threads", lambda row: None if row.threads_per_block is None else str(row.threads_per_block)),
    Column(
        "occupancy",
        lambda row: None if row.occupancy is None else f"{quantities.share(row.occupancy)} {row.limiter}",
    ),
)


def sweep_columns(report: SweepReport) -> tuple[Column[SweepRow], ...]:
    """The columns after the swept value: time or bandwidth first, then the resources that explain it."""
    speedup: Column[SweepRow] = Column(
        f"over {safe_name(report.baseline)}",
        lambda row: None if row.speedup is None else quantities.times(row.speedup),
    )
    first = (_BANDWIDTH, _TIME) if report.shows is SweepFigure.BANDWIDTH else (_TIME, speedup)
    return (*first, *_RESOURCES)


def sweep_title(report: SweepReport) -> str:
    """Kernel, swept parameter, case and the other sizes, on one line."""
    return f"{report.kernel} over {report.over}, {_case(report.case, report.sizes, without=report.over)}"


def ladder_columns(ladder: LadderReport) -> tuple[Column[RungTiming], ...]:
    """The columns after rung, kernel and language. A row without times has a dash in each."""

    def speedup(row: RungTiming) -> str | None:
        over = row.over(ladder.baseline)
        return None if over is None else f"{quantities.times(over.value)} {quantities.interval(over)}".strip()

    columns: tuple[tuple[str, Callable[[RungTiming], str | None]], ...] = (
        ("time", lambda row: quantities.seconds(median(row.seconds))),
        (f"over {safe_name(ladder.baseline)}", speedup),
        ("roofline", lambda row: None if row.share is None else quantities.share(row.share)),
        ("regs", lambda row: None if row.resources is None else str(row.resources.registers)),
        (
            "shared",
            lambda row: None if row.resources is None else quantities.size(row.resources.shared_bytes),
        ),
        (
            "occupancy",
            lambda row: None if row.resources is None else quantities.share(row.resources.occupancy),
        ),
    )
    return tuple(Column(heading, _if_timed(text)) for heading, text in columns)


def ladder_cases(ladder: LadderReport) -> Iterator[tuple[str, list[RungTiming]]]:
    """The title of each case and its rows."""
    for case in dict.fromkeys(row.case for row in ladder.rows):
        rows = [row for row in ladder.rows if row.case == case]
        yield _case(case, rows[0].sizes), rows


def _if_timed(text: Callable[[RungTiming], str | None]) -> Callable[[RungTiming], str | None]:
    return lambda row: text(row) if row.seconds else None


def _case(name: str, sizes: Mapping[str, int], without: str = "") -> str:
    shown = ", ".join(f"{size} = {value}" for size, value in sizes.items() if size != without)
    return f"case {name} ({shown})" if shown else f"case {name}"
