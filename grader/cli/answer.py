"""``grader answer``: staff answer a regrade request."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import requests
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason

EXAMPLE = 'Example: `grader answer student-01 row-sum --decline --because "The case is within the limits."`'


def answer(  # noqa: PLR0913 - one parameter per option of the command
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student who asked.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    accept: Annotated[bool, typer.Option("--accept", help="The student is right.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="The result stands.")] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="What the student reads.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who answers (default: the user who is logged in).")
    ] = "",
) -> None:
    """Answer a student's request. The answer changes no points: use `grader override` or `grader regrade`."""
    if accept == decline:
        msg = "Say whether the student is right."
        raise UserError(msg, hint="Use --accept or --decline.")
    workspace = open_workspace()
    requests.answer(workspace, student, lab, Staff(because=because, by=by), accepted=accept)
    terminal(workspace.config).note(reason("request-answered", student=student, lab=lab))


app = command_app(answer, EXAMPLE)
