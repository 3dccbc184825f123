"""The differences between two gradings, in a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH
from grader.model.report import Report
from grader.report import palette, quantities
from grader.report.changes import Direction, PartChange, ReportChange
from grader.report.summary import has_score
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

_STYLES = {Direction.UP: palette.GREEN, Direction.DOWN: palette.RED}


def changes_table(changes: Sequence[ReportChange]) -> RenderableType:
    """One row for each result that differs, with the lines of the rubric that changed; below, how many go where."""
    if not changes:
        return Text("Both gradings agree.")
    table = plain_table()
    for heading in ("student", "lab", "points", "verdict", "why"):
        table.add_column(heading, overflow="fold")
    for change in changes:
        table.add_row(
            Text(safe_name(change.report.student)),
            Text(safe_name(change.report.lab)),
            Text(_points(change), style=_STYLES.get(change.direction, "")),
            Text(_verdict(change)),
            Text("\n".join(_why(change))),
        )
    counts = Counter(change.direction for change in changes)
    line = ", ".join(f"{counts[direction]} {direction}" for direction in Direction if direction in counts)
    return Group(table, Text(f"{len(changes)} results differ: {line}"))


def _points(change: ReportChange) -> str:
    return _arrow(*(None if each is None else _counting(each) for each in (change.before, change.after)))


def _counting(report: Report) -> str:
    return quantities.points(report.score) if has_score(report) else quantities.NOTHING


def _verdict(change: ReportChange) -> str:
    return _arrow(*(None if each is None else str(each.verdict) for each in (change.before, change.after)))


def _why(change: ReportChange) -> Iterator[str]:
    verdicts_differ = change.before and change.after and change.before.verdict is not change.after.verdict
    if verdicts_differ or not change.parts:
        yield safe_text(ENGLISH(change.report.reason), MESSAGE_LIMIT)
    yield from map(_part, change.parts)


def _part(part: PartChange) -> str:
    before, after = (
        None if score is None else quantities.points(score) for score in (part.before, part.after)
    )
    why = f": {safe_text(ENGLISH(part.reason), MESSAGE_LIMIT)}" if part.reason else ""
    return f"{safe_text(part.name)} {_arrow(before, after)}{why}"


def _arrow(before: str | None, after: str | None) -> str:
    if before == after:
        return before or ""
    return f"{before or quantities.NOTHING} → {after or quantities.NOTHING}"
