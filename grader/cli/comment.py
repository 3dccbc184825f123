"""``grader comment``: a comment beside a line of a submission."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import comments
from grader.course.workspace import open_workspace
from grader.errors import UserError
from grader.model.reason import reason

EXAMPLE = 'Example: `grader comment student-01 row-sum main.cu:12 "Why not a float4?"`'


def comment(  # noqa: PLR0913 - one parameter per option of the command
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    location: Annotated[str, typer.Argument(metavar="FILE:LINE", help="The line, counted from 1.")],
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="What the student reads.")] = None,
    *,
    named: Annotated[
        str | None, typer.Option(metavar="NAME", help="The comment of this name in [results.comments].")
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Remove the comments at the line.")] = False,
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who comments (default: the user who is logged in).")
    ] = "",
) -> None:
    """Comment on a line of a student's latest submission.

    The comment stands beside the line in the student's feedback, and stays with this content when it is graded again.
    """
    if [text is not None, named is not None, withdraw].count(True) != 1 or (
        text is not None and not text.strip()
    ):
        msg = "Say what the comment is."
        raise UserError(msg, hint="Give its text, or --named NAME, or --withdraw.")
    workspace = open_workspace()
    said = comments.named(workspace, named) if named is not None else text or ""
    stored = comments.comment(workspace, student, lab, location, text=said, by=by)
    code = "comment-stored" if stored.text else "comment-withdrawn"
    terminal(workspace.config).note(reason(code, student=student, file=stored.file, line=stored.line))


app = command_app(comment, EXAMPLE)
