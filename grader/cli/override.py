"""``grader override``: points or a verdict that replace the graded ones."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import decide
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason
from grader.model.verdict import Verdict
from grader.report import quantities

EXAMPLE = 'Example: `grader override student-01 row-sum --points 90 --because "the handout was unclear"`'


def override(  # noqa: PLR0913 - one parameter per option of the command
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    points: Annotated[float | None, typer.Option(help="The points that count.")] = None,
    verdict: Annotated[Verdict | None, typer.Option(help="The verdict that counts.")] = None,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="The graded points and verdict count again.")
    ] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason; for staff.")] = "",
    comment: Annotated[str, typer.Option(metavar="TEXT", help="What the student reads about it.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """Replace the points or the verdict of a student's latest submission to a lab.

    The decision holds for that content, also when it is graded again. What was graded stays stored.
    """
    if withdraw == (points is not None or verdict is not None):
        msg = "Say what counts, or that the decision is withdrawn."
        raise UserError(msg, hint="Use --points or --verdict, or --withdraw alone.")
    workspace = open_workspace()
    report = decide.override(
        workspace,
        student,
        lab,
        Staff(because=because, by=by),
        points=points,
        verdict=verdict,
        comment=comment,
    )
    what = quantities.adjustment_note(report) or reason("counts-as-graded")
    said = reason("student-on-lab", student=student, lab=lab, what=what)
    terminal(workspace.config).note(said)


app = command_app(override, EXAMPLE)
