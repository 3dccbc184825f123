"""A calibration in a terminal: required, reached and proposed speedups of each rule."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.calibration import Judgement, Threshold
from grader.model.ladder import LadderReport
from grader.report import palette, quantities
from grader.report.terminal.ladder import heading
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_STYLE = {
    Judgement.UNREACHABLE: palette.RED,
    Judgement.TRIVIAL: palette.ORANGE,
    Judgement.SOUND: palette.GREEN,
}

_HEADINGS = ("language", "required", "baseline", "best rung", "judgement", "proposed")


def calibration_table(ladder: LadderReport, thresholds: Sequence[Threshold]) -> RenderableType:
    """The thresholds of one lab, timed on one case: a table per kernel and rung (or roofline) compared with."""
    parts: list[RenderableType] = [*heading(ladder)]
    if not thresholds:
        parts.append(Text("no speed rule could be judged", style=palette.GREY))
    for kernel, over in dict.fromkeys((known.kernel, known.over) for known in thresholds):
        reference = "the roofline" if over is None else over
        parts.append(Text(safe_text(f"{kernel} over {reference}", MESSAGE_LIMIT)))
        parts.append(_table([known for known in thresholds if (known.kernel, known.over) == (kernel, over)]))
    return Group(*parts)


def _table(thresholds: Sequence[Threshold]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in _HEADINGS:
        table.add_column(name, overflow="fold")
    for known in thresholds:
        table.add_row(
            Text(known.language),
            Text(quantities.times(known.asked)),
            Text(quantities.times(known.naive)),
            Text(f"{quantities.times(known.best)} {safe_name(known.best_rung)}"),
            Text(known.judgement, style=_STYLE[known.judgement]),
            Text(quantities.NOTHING if known.proposed is None else f"{known.proposed:g}×"),
        )
    return table


def changes(before: Sequence[LadderReport], now: Sequence[LadderReport]) -> list[Text]:
    """A line for each rung with disjoint old and new speedup intervals, or one line that there is none.

    Labs that the earlier calibration lacks, or that have changed since, get a line too.
    """
    lines = list(_changes({ladder.lab: ladder for ladder in before}, now))
    return lines or [_line("No speedup has changed beyond its interval.")]


def _changes(before: Mapping[str, LadderReport], now: Sequence[LadderReport]) -> Iterator[Text]:
    for ladder in now:
        known = before.get(ladder.lab)
        if known is None:
            yield _line(f"{ladder.lab}: the earlier calibration has no times of this lab.")
            continue
        if known.digest != ladder.digest:
            yield _line(f"{ladder.lab}: its files have changed since the earlier calibration.")
        yield from _moved(known, ladder)


def _moved(before: LadderReport, now: LadderReport) -> Iterator[Text]:
    old = {(row.rung, row.kernel, row.language, row.case): row.over(before.baseline) for row in before.rows}
    for row in now.rows:
        then, today = old.get((row.rung, row.kernel, row.language, row.case)), row.over(now.baseline)
        if then is None or today is None:
            continue
        if then.high < today.low or today.high < then.low:
            what = f"{now.lab}: {row.kernel} of {row.rung} ({row.language})"
            yield _line(f"{what}: {quantities.labelled(then)} before, {quantities.labelled(today)} now.")


def _line(text: str) -> Text:
    return Text(safe_text(text, MESSAGE_LIMIT))
