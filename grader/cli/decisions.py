"""``grader decisions``: the audit list of what staff decided."""

from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course import audit
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

EXAMPLE = "Example: `grader decisions --student student-01`"

_HEADINGS = (
    *("column-when", "column-student", "column-lab"),
    *("column-decision", "column-by", "column-because"),
)


def decisions(
    *,
    student: Annotated[str | None, typer.Option(help="Only those about this student.")] = None,
    lab: Annotated[str | None, typer.Option(help="Only those about this lab.")] = None,
) -> None:
    """List every decision of staff, the oldest first."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    speech = shown.speech
    found = audit.decisions(workspace, student, lab)
    if not found:
        shown.note(reason("nothing-decided"))
        return
    table = plain_table()
    for code in _HEADINGS:
        table.add_column(speech.says(code), overflow="fold")
    for entry in found:
        what = reason("of-former-submission", what=entry.what) if entry.former else entry.what
        names = map(safe_name, (entry.student, entry.lab, speech(what), entry.who))
        when = moment(entry.decided_at, speech.language)
        table.add_row(when, *map(Text, names), Text(safe_text(entry.why, MESSAGE_LIMIT)))
    out.print(table)


app = command_app(decisions, EXAMPLE)
