"""Columns of the sweep and ladder tables, shared by the terminal and the pages."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Generic, TypeVar

from grader.messages import ENGLISH, Speech
from grader.model.ladder import LadderReport, RungTiming
from grader.model.reason import Reason, reason
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


def sweep_columns(report: SweepReport, speech: Speech = ENGLISH) -> tuple[Column[SweepRow], ...]:
    """The columns after the swept value: time or bandwidth first, then the resources that explain it."""

    def column(code: str, shown: Callable[[SweepRow], str | None], **params: str) -> Column[SweepRow]:
        return Column(speech.says(code, **params), lambda row: _localised(shown(row), speech))

    time = column("column-time", lambda row: _if_known(quantities.seconds, row.seconds))
    bandwidth = column("column-bandwidth", lambda row: _if_known(quantities.bytes_per_second, row.bandwidth))
    speedup = column(
        "column-over",
        lambda row: _if_known(quantities.times, row.speedup),
        baseline=safe_name(report.baseline),
    )
    first = (bandwidth, time) if report.shows is SweepFigure.BANDWIDTH else (time, speedup)
    return (
        *first,
        column("column-registers", lambda row: _if_known(str, row.registers)),
        column("column-spilled", lambda row: _if_known(quantities.size, row.spill_bytes)),
        column("column-shared", lambda row: _if_known(quantities.size, row.shared_bytes)),
        column("column-threads", lambda row: _if_known(str, row.threads_per_block)),
        column("column-occupancy", lambda row: _occupancy(row, speech)),
    )


def sweep_title(report: SweepReport) -> Reason:
    """Kernel, swept parameter, case and the other sizes, on one line."""
    case = _case(report.case, report.sizes, without=report.over)
    return reason("sweep-title", kernel=report.kernel, over=report.over, timed=case)


def ladder_columns(ladder: LadderReport, speech: Speech = ENGLISH) -> tuple[Column[RungTiming], ...]:
    """The columns after rung, kernel and language. A row without times has a dash in each."""

    def column(code: str, shown: Callable[[RungTiming], str | None], **params: str) -> Column[RungTiming]:
        heading = speech.says(code, **params)
        return Column(heading, lambda row: _localised(shown(row), speech) if row.seconds else None)

    def speedup(row: RungTiming) -> str | None:
        over = row.over(ladder.baseline)
        return None if over is None else f"{quantities.times(over.value)} {quantities.interval(over)}".strip()

    return (
        column("column-time", lambda row: quantities.seconds(median(row.seconds))),
        column("column-over", speedup, baseline=safe_name(ladder.baseline)),
        column("column-roofline", lambda row: _if_known(quantities.share, row.share)),
        column("column-registers", lambda row: _if_known(lambda built: str(built.registers), row.resources)),
        column(
            "column-shared",
            lambda row: _if_known(lambda built: quantities.size(built.shared_bytes), row.resources),
        ),
        column(
            "column-occupancy",
            lambda row: _if_known(lambda built: quantities.share(built.occupancy), row.resources),
        ),
    )


def ladder_cases(ladder: LadderReport) -> Iterator[tuple[Reason, list[RungTiming]]]:
    """The title of each case and its rows."""
    for case in dict.fromkeys(row.case for row in ladder.rows):
        rows = [row for row in ladder.rows if row.case == case]
        yield _case(case, rows[0].sizes), rows


Figure = TypeVar("Figure")


def _if_known(shown: Callable[[Figure], str], figure: Figure | None) -> str | None:
    return None if figure is None else shown(figure)


def _localised(text: str | None, speech: Speech) -> str | None:
    return None if text is None else speech.figure(text)


def _occupancy(row: SweepRow, speech: Speech) -> str | None:
    if row.occupancy is None:
        return None
    limiter = "" if row.limiter is None else speech.word(row.limiter)
    return f"{quantities.share(row.occupancy)} {limiter}".rstrip()


def _case(name: str, sizes: Mapping[str, int], without: str = "") -> Reason:
    shown = ", ".join(f"{size} = {value}" for size, value in sizes.items() if size != without)
    return reason("case-with-sizes", name=name, sizes=shown) if shown else reason("case-named", name=name)
