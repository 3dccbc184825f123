"""Submissions that wait for a person, and what people decided, in a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from grader.model.report import Report
from grader.model.review import Review
from grader.report import palette, quantities
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text


def waiting_list(reports: Iterable[Report]) -> RenderableType:
    """Submissions with suspicious kernels, each with what is odd about it."""
    table = plain_table()
    table.add_column("waits for a person", overflow="fold", min_width=8)
    table.add_column("lab", overflow="fold", min_width=6)
    table.add_column("why", overflow="fold")
    for report in reports:
        names = (Text(safe_name(name)) for name in (report.student, report.lab))
        table.add_row(*names, Text(safe_text(report.flag_reason)))
    return table


def decisions(report: Report, reviews: Sequence[Review]) -> RenderableType:
    """What is odd about one submission, and below it every decision, the first one first."""
    head = Text.assemble(
        (f"{safe_name(report.student)}  ·  {safe_name(report.lab)}", "bold"),
        f"  {safe_text(report.flag_reason, MESSAGE_LIMIT)}",
    )
    told = [
        Text(f"  {safe_text(quantities.decided(review), MESSAGE_LIMIT)}", style=palette.GREY)
        for review in reviews
    ]
    return Group(head, *(told or [Text("  nobody has decided yet", style=palette.GREY)]))
