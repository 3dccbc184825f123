"""A calibration in a terminal: what each rule asks for, what is reached here, and what it had better ask for."""

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

_HEADINGS = ("language", "asked", "baseline has", "best rung has", "judgement", "proposed")


def calibration_table(ladder: LadderReport, thresholds: Sequence[Threshold]) -> RenderableType:
    """The thresholds of one lab, all timed on one case: a table for each kernel and what it is held against."""
    parts: list[RenderableType] = [*heading(ladder)]
    if not thresholds:
        parts.append(Text("no speed rule could be judged", style=palette.GREY))
    for kernel, over in dict.fromkeys((known.kernel, known.over) for known in thresholds):
        beside = "the roofline" if over is None else over
        parts.append(Text(safe_text(f"{kernel} over {beside}", MESSAGE_LIMIT)))
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
    """A line for each rung whose speedup over the baseline lies elsewhere now, beyond both intervals; or that says so.

    A lab that was not timed then, or was another, is told as well.
    """
    lines = list(_changes({ladder.lab: ladder for ladder in before}, now))
    return lines or [_line("No rung has moved beyond its interval.")]


def _changes(before: Mapping[str, LadderReport], now: Sequence[LadderReport]) -> Iterator[Text]:
    for ladder in now:
        known = before.get(ladder.lab)
        if known is None:
            yield _line(f"{ladder.lab} was not timed then.")
            continue
        if known.digest != ladder.digest:
            yield _line(f"{ladder.lab} is not what it was: its files have changed since.")
        yield from _moved(known, ladder)


def _moved(before: LadderReport, now: LadderReport) -> Iterator[Text]:
    old = {(row.rung, row.kernel, row.language, row.case): row.over(before.baseline) for row in before.rows}
    for row in now.rows:
        then, today = old.get((row.rung, row.kernel, row.language, row.case)), row.over(now.baseline)
        if then is None or today is None:
            continue
        if then.high < today.low or today.high < then.low:
            what = f"{now.lab}: {row.kernel} of {row.rung} ({row.language})"
            yield _line(f"{what} had {quantities.labelled(then)}, has {quantities.labelled(today)}.")


def _line(text: str) -> Text:
    return Text(safe_text(text, MESSAGE_LIMIT))
