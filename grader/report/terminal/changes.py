"""The differences between two gradings, in a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.reason import reason
from grader.model.report import Report
from grader.report import palette, quantities
from grader.report.changes import Direction, PartChange, ReportChange
from grader.report.summary import has_score
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_STYLES = {Direction.UP: palette.GREEN, Direction.DOWN: palette.RED}


def changes_table(changes: Sequence[ReportChange], speech: Speech = ENGLISH) -> RenderableType:
    """One row for each result that differs, with the lines of the rubric that changed; below, how many go where."""
    if not changes:
        return Text(speech.says("gradings-agree"))
    table = plain_table()
    for code in ("column-student", "column-lab", "column-points", "column-verdict", "column-why"):
        table.add_column(speech.says(code), overflow="fold")
    for change in changes:
        table.add_row(
            Text(safe_name(change.report.student)),
            Text(safe_name(change.report.lab)),
            Text(_points(change, speech), style=_STYLES.get(change.direction, "")),
            Text(_verdict(change, speech)),
            Text("\n".join(_why(change, speech))),
        )
    counts = Counter(change.direction for change in changes)
    directions = tuple(
        reason("count-of-kind", count=counts[direction], kind=direction.value)
        for direction in Direction
        if direction in counts
    )
    return Group(table, Text(speech.says("results-differ", count=len(changes), changes=directions)))


def _points(change: ReportChange, speech: Speech) -> str:
    sides = (change.before, change.after)
    return _arrow(*(None if each is None else speech.figure(_counting(each)) for each in sides))


def _counting(report: Report) -> str:
    return quantities.points(report.score) if has_score(report) else quantities.NOTHING


def _verdict(change: ReportChange, speech: Speech) -> str:
    sides = (change.before, change.after)
    return _arrow(*(None if each is None else speech.word(each.verdict) for each in sides))


def _why(change: ReportChange, speech: Speech) -> Iterator[str]:
    verdicts_differ = change.before and change.after and change.before.verdict is not change.after.verdict
    if verdicts_differ or not change.parts:
        yield safe_text(speech(change.report.reason), MESSAGE_LIMIT)
    for part in change.parts:
        yield _part(part, speech)


def _part(part: PartChange, speech: Speech) -> str:
    before, after = (
        None if score is None else speech.figure(quantities.points(score))
        for score in (part.before, part.after)
    )
    why = f": {safe_text(speech(part.reason), MESSAGE_LIMIT)}" if part.reason else ""
    title = safe_text(speech(part.title), MESSAGE_LIMIT)
    return f"{title} {_arrow(before, after)}{why}"


def _arrow(before: str | None, after: str | None) -> str:
    if before == after:
        return before or ""
    return f"{before or quantities.NOTHING} → {after or quantities.NOTHING}"
