"""A calibration in a terminal: required, reached and proposed speedups of each rule."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.calibration import Judgement, Threshold
from grader.model.ladder import LadderReport
from grader.model.reason import Reason, reason
from grader.report import palette, quantities
from grader.report.terminal.ladder import heading
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_STYLE = {
    Judgement.UNREACHABLE: palette.RED,
    Judgement.TRIVIAL: palette.ORANGE,
    Judgement.SOUND: palette.GREEN,
}

_HEADINGS = (
    *("column-language", "column-required", "column-baseline", "column-best-rung"),
    *("column-judgement", "column-proposed"),
)


def calibration_table(
    ladder: LadderReport, thresholds: Sequence[Threshold], speech: Speech = ENGLISH
) -> RenderableType:
    """The thresholds of one lab, timed on one case: a table per kernel and rung (or roofline) compared with."""
    parts: list[RenderableType] = [*heading(ladder, speech)]
    if not thresholds:
        parts.append(Text(speech.says("no-thresholds"), style=palette.GREY))
    for kernel, over in dict.fromkeys((known.kernel, known.over) for known in thresholds):
        reference = reason("the-roofline") if over is None else over
        title = speech.says("kernel-over", kernel=kernel, reference=reference)
        parts.append(Text(safe_text(title, MESSAGE_LIMIT)))
        theirs = [known for known in thresholds if (known.kernel, known.over) == (kernel, over)]
        parts.append(_table(theirs, speech))
    return Group(*parts)


def _table(thresholds: Sequence[Threshold], speech: Speech) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for code in _HEADINGS:
        table.add_column(speech.says(code), overflow="fold")
    for known in thresholds:
        table.add_row(
            Text(known.language),
            Text(speech.figure(quantities.times(known.asked))),
            Text(speech.figure(quantities.times(known.naive))),
            Text(f"{speech.figure(quantities.times(known.best))} {safe_name(known.best_rung)}"),
            Text(speech.word(known.judgement), style=_STYLE[known.judgement]),
            Text(quantities.NOTHING if known.proposed is None else speech.figure(f"{known.proposed:g}×")),
        )
    return table


def changes(before: Sequence[LadderReport], now: Sequence[LadderReport]) -> list[Reason]:
    """A statement for each rung with disjoint old and new speedup intervals, or one that there is none.

    Labs that the earlier calibration lacks, or that have changed since, get one too.
    """
    lines = list(_changes({ladder.lab: ladder for ladder in before}, now))
    return lines or [reason("calibration-unchanged")]


def _changes(before: Mapping[str, LadderReport], now: Sequence[LadderReport]) -> Iterator[Reason]:
    for ladder in now:
        known = before.get(ladder.lab)
        if known is None:
            yield reason("calibration-lacks-lab", lab=ladder.lab)
            continue
        if known.digest != ladder.digest:
            yield reason("calibration-lab-changed", lab=ladder.lab)
        yield from _moved(known, ladder)


def _moved(before: LadderReport, now: LadderReport) -> Iterator[Reason]:
    old = {(row.rung, row.kernel, row.language, row.case): row.over(before.baseline) for row in before.rows}
    for row in now.rows:
        then, today = old.get((row.rung, row.kernel, row.language, row.case)), row.over(now.baseline)
        if then is None or today is None:
            continue
        if then.high < today.low or today.high < then.low:
            yield reason(
                "calibration-moved",
                lab=now.lab,
                kernel=row.kernel,
                rung=row.rung,
                language=row.language,
                before=quantities.labelled(then),
                now=quantities.labelled(today),
            )
