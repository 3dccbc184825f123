"""``grader forget``: erase a student from the store."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import storage
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader forget student-01 --yes`"


def forget(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab (default: all).")] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Remove them for good.")] = False,
) -> None:
    """Remove the stored submissions, results and decisions of a student, and the events about them.

    Files in the folders of submissions and results stay. Delete the student's there, and grade again.
    """
    workspace = open_workspace()
    results = reason("results-count", count=storage.forget(workspace, student, lab, confirmed=yes))
    removed = (
        reason("student-removed", student=student, results=results)
        if lab is None
        else reason("student-removed-lab", student=student, lab=lab, results=results)
    )
    terminal(workspace.config).note(removed)


app = command_app(forget, EXAMPLE)
