"""Flagged submissions and the decisions of staff, in a terminal."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.review import FlaggedWork
from grader.report import palette, quantities
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text


def flagged_list(flagged: Iterable[FlaggedWork], speech: Speech = ENGLISH) -> RenderableType:
    """Submissions that await review, each with the reason for its flag."""
    table = plain_table()
    table.add_column(speech.says("column-awaiting-review"), overflow="fold", min_width=8)
    table.add_column(speech.says("column-lab"), overflow="fold", min_width=6)
    table.add_column(speech.says("column-reason"), overflow="fold")
    for work in flagged:
        names = (Text(safe_name(name)) for name in (work.student, work.lab))
        table.add_row(*names, Text(safe_text(speech(work.reason))))
    return table


def decisions(work: FlaggedWork, speech: Speech = ENGLISH) -> RenderableType:
    """The flag of one submission, then every decision, oldest first."""
    head = Text.assemble(
        (f"{safe_name(work.student)}  ·  {safe_name(work.lab)}", "bold"),
        f"  {safe_text(speech(work.reason), MESSAGE_LIMIT)}",
    )
    lines = [
        Text(f"  {safe_text(speech(quantities.decision_note(review)), MESSAGE_LIMIT)}", style=palette.GREY)
        for review in work.reviews
    ]
    return Group(head, *(lines or [Text(f"  {speech.says('not-reviewed')}", style=palette.GREY)]))
