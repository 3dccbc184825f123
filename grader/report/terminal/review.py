"""Flagged submissions and the decisions of staff, in a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from grader.messages import ENGLISH, Speech
from grader.model.report import Report
from grader.model.review import Review
from grader.report import palette, quantities
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text


def flagged_list(reports: Iterable[Report], speech: Speech = ENGLISH) -> RenderableType:
    """Submissions that await review, each with the reason for its flag."""
    table = plain_table()
    table.add_column(speech.says("column-awaiting-review"), overflow="fold", min_width=8)
    table.add_column(speech.says("column-lab"), overflow="fold", min_width=6)
    table.add_column(speech.says("column-reason"), overflow="fold")
    for report in reports:
        names = (Text(safe_name(name)) for name in (report.student, report.lab))
        table.add_row(*names, Text(safe_text(speech(report.flag_reason)) if report.flag_reason else ""))
    return table


def decisions(report: Report, reviews: Sequence[Review], speech: Speech = ENGLISH) -> RenderableType:
    """The flag of one submission, then every decision, oldest first."""
    head = Text.assemble(
        (f"{safe_name(report.student)}  ·  {safe_name(report.lab)}", "bold"),
        f"  {safe_text(speech(report.flag_reason), MESSAGE_LIMIT) if report.flag_reason else ''}",
    )
    lines = [
        Text(f"  {safe_text(speech(quantities.decision_note(review)), MESSAGE_LIMIT)}", style=palette.GREY)
        for review in reviews
    ]
    return Group(head, *(lines or [Text(f"  {speech.says('not-reviewed')}", style=palette.GREY)]))
