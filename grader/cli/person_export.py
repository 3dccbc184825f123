"""``grader person export``: everything about one person in a zip file."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course import person as service
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader person export moodle:12345 --output data.zip`"


def person_export(
    student: Annotated[
        str, typer.Argument(metavar="STUDENT", help="The student, or SYSTEM:ID of another system.")
    ],
    *,
    output: Annotated[Path, typer.Option(metavar="FILE", help="The zip file to write.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the file if it is there.")] = False,
) -> None:
    """Write everything that is stored about one person: submissions with their files, results, decisions, attempts.

    Nothing in it is about others.
    """
    workspace = open_workspace()
    done = service.export(workspace, student, output, overwrite=overwrite)
    content = (reason("rows-count", count=done.rows), reason("files-count", count=done.files))
    terminal(workspace.config).note(reason("backup-holds", file=relative(done.file), content=content))


app = command_app(person_export, EXAMPLE)
