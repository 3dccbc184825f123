"""``grader excuse``: a lab that does not count for a student."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import decide
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = 'Example: `grader excuse student-01 row-sum --because "ill"`'


def excuse(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="The lab counts again.")] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason; for staff.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """Excuse a student from a lab, whatever they submit: it does not count for them."""
    workspace = open_workspace()
    decide.excuse(workspace, student, lab, Staff(because=because, by=by), withdraw=withdraw)
    code = "student-not-excused" if withdraw else "student-excused"
    terminal(workspace.config).note(reason(code, student=student, lab=lab))


app = command_app(excuse, EXAMPLE)
