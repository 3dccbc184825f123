"""``grader decisions``: the audit list of what staff decided."""

from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import note, out
from grader.cli.lazy_group import command_app
from grader.course import decide
from grader.course.workspace import open_workspace
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

EXAMPLE = "Example: `grader decisions --student student-01`"


def decisions(
    *,
    student: Annotated[str | None, typer.Option(help="Only those about this student.")] = None,
    lab: Annotated[str | None, typer.Option(help="Only those about this lab.")] = None,
) -> None:
    """List every decision of staff, the oldest first."""
    found = decide.decisions(open_workspace(), student, lab)
    if not found:
        note("Staff decided nothing yet.")
        return
    table = plain_table()
    for heading in ("when", "student", "lab", "decision", "by", "because"):
        table.add_column(heading, overflow="fold")
    for entry in found:
        names = map(safe_name, (entry.student, entry.lab, entry.what, entry.who))
        table.add_row(moment(entry.decided_at), *map(Text, names), Text(safe_text(entry.why, MESSAGE_LIMIT)))
    out.print(table)


app = command_app(decisions, EXAMPLE)
