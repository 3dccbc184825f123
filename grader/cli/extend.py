"""``grader extend``: more time for a student, a group or everybody with a label."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import extensions
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason

EXAMPLE = 'Example: `grader extend student-01 row-sum --days 2 --because "ill"`'


def extend(  # noqa: PLR0913 - one parameter per option of the command
    who: Annotated[str, typer.Argument(metavar="STUDENT", help="The student, or group:NAME, or label:NAME.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="The due date, such as 2026-06-18 23:59.")
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=3650, help="Days after the lab's own due date.")
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="The lab's own due date holds again.")] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason; for staff.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """Give more time for a lab. A student who joins the group later does not have it.

    The latest extension holds. It moves the due date only, and never lowers a score.
    """
    if [until is not None, days is not None, withdraw].count(True) != 1:
        msg = "Say until when, or how many days more, or that the extension is withdrawn."
        raise UserError(msg, hint="Use one of --until, --days and --withdraw.")
    workspace = open_workspace()
    students = extensions.extend(
        workspace,
        who,
        lab,
        Staff(because=because, by=by),
        until=until,
        days=days or 0,
    )
    code = "extension-withdrawn" if withdraw else "extension-given"
    terminal(workspace.config).note(reason(code, lab=lab, students=students))


app = command_app(extend, EXAMPLE)
