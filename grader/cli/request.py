"""``grader request``: a student asks for a second look; staff see what waits."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from grader.cli.console import Terminal, out, terminal
from grader.cli.lazy_group import command_app
from grader.course import requests
from grader.course.requests import OpenRequest
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.report.quantities import moment
from grader.report.terminal.overview import plain_table
from grader.report.text import MESSAGE_LIMIT, safe_name, safe_text

EXAMPLE = 'Example: `grader request student-01 row-sum "Case odd reads outside of the array, not my kernel."`'

_HEADINGS = ("column-when", "column-student", "column-lab", "column-request")


def request(
    student: Annotated[str | None, typer.Argument(metavar="[STUDENT]", help="The student who asks.")] = None,
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="The lab.")] = None,
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="What is wrong with the result.")
    ] = None,
) -> None:
    """Ask staff to look at a result again, or list the requests that wait for an answer."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    if student is None:
        _list(requests.open_requests(workspace), shown)
        return
    if lab is None or text is None:
        msg = "The lab or the text is missing."
        raise UserError(msg, hint=f'Run `grader request {student} LAB "TEXT"`.')
    requests.ask(workspace, student, lab, text)
    shown.note(reason("request-stored", student=student, lab=lab))


def _list(found: Sequence[OpenRequest], shown: Terminal) -> None:
    if not found:
        shown.note(reason("nothing-requested"))
        return
    table = plain_table()
    for code in _HEADINGS:
        table.add_column(shown.speech.says(code), overflow="fold")
    for each in found:
        said = reason("of-former-submission", what=each.text) if each.former else None
        table.add_row(
            moment(each.asked_at, shown.speech.language),
            *map(Text, map(safe_name, (each.student, each.lab))),
            Text(safe_text(shown.speech(said) if said else each.text, MESSAGE_LIMIT)),
        )
    out.print(table)


app = command_app(request, EXAMPLE)
