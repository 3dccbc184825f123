"""``grader status``: where your attempts on the server of a course are."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from grader.api.attempts import Attempt
from grader.cli.console import Terminal, out, terminal
from grader.cli.course_server import logged_in, reported, watched
from grader.cli.lazy_group import command_app
from grader.course.language import ReportLanguage
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import as_written, reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

EXAMPLE = "Example: `grader status 17`"

_HEADINGS = ("column-attempt", "column-when", "column-lab", "column-number", "column-state")


def status(
    attempt: Annotated[
        int | None, typer.Argument(metavar="[ATTEMPT]", help="The number of the attempt.")
    ] = None,
    *,
    lab: Annotated[str | None, typer.Option(help="List only attempts at this lab.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Watch until the attempt is graded.")] = False,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the report (default: the course's, or LANG)."),
    ] = None,
) -> int:
    """Show an attempt on the server of your course, or list the newest ones.

    Of a graded attempt it shows the report, and the exit code is that of the verdict.
    """
    if attempt is None and watch:
        msg = "Which attempt is to be watched?"
        raise UserError(msg, hint="Give its number; `grader status` lists them.")
    shown = terminal(open_workspace().config, language)
    server = logged_in(shown)
    if attempt is None:
        _list(server.attempts(lab).attempts, shown)
        return 0
    if watch:
        return watched(server, attempt, shown)
    state = server.attempt(attempt).state
    if state.final:
        return reported(server, state, shown)
    shown.note(as_written(state.text))
    return 0


def _list(found: Sequence[Attempt], shown: Terminal) -> None:
    if not found:
        shown.note(reason("no-attempts"))
        return
    table = plain_table()
    for code in _HEADINGS:
        table.add_column(shown.speech.says(code), overflow="fold")
    for each in found:
        table.add_row(
            str(each.id),
            moment(each.submitted_at, shown.speech.language),
            Text(safe_name(each.lab)),
            str(each.number),
            Text(safe_text(each.state.text, MESSAGE_LIMIT)),
        )
    out.print(table)


app = command_app(status, EXAMPLE)
