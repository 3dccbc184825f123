"""``grader person erase``: remove everything about one person from the store."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import person as service
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = 'Example: `grader person erase student-01 --yes --because "asked for it"`'


def person_erase(
    student: Annotated[
        str, typer.Argument(metavar="STUDENT", help="The student, or SYSTEM:ID of another system.")
    ],
    lab: Annotated[str | None, typer.Argument(metavar="[LAB]", help="One lab (default: all).")] = None,
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Remove it for good.")] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason, without a name; for staff.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """Remove a person's submissions, results, decisions, attempts, ids and events, and their place in the roster.

    The list of decisions says that an erasure happened, and does not name the person. Files in the folders of
    submissions and results stay, as do names in `course.toml` and `grader.toml`: delete them there, and grade again.
    """
    workspace = open_workspace()
    erased, count = service.erase(workspace, student, lab, Staff(because=because, by=by), confirmed=yes)
    results = reason("results-count", count=count)
    removed = (
        reason("student-removed", student=erased, results=results)
        if lab is None
        else reason("student-removed-lab", student=erased, lab=lab, results=results)
    )
    terminal(workspace.config).note(removed)


app = command_app(person_erase, EXAMPLE)
