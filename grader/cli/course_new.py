"""``grader course new``: the commented file of a course."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course.course_new import new_course
from grader.course.local_zone import local_zone
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = 'Example: `grader course new --title "GPU programming" --time-zone Europe/Berlin`'


def new(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="Where to write it.", exists=True, file_okay=False)
    ] = Path(),
    *,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="The name of the course (default: that of the folder).")
    ] = "",
    time_zone: Annotated[
        str, typer.Option(metavar="ZONE", help="The zone of all dates (default: that of this machine).")
    ] = "",
    language: Annotated[str, typer.Option(help="The language of the course: en, ru or zh.")] = "en",
    lab: Annotated[
        list[str] | None, typer.Option(metavar="LAB", help="A lab of the course (default: every lab).")
    ] = None,
) -> None:
    """Write `course.toml` with every key explained; a file that is there is never overwritten."""
    workspace = open_workspace()
    path = new_course(
        workspace,
        folder,
        lab or (),
        title=title or folder.absolute().name,
        zone=time_zone or local_zone().key,
        language=language,
    )
    terminal(workspace.config).note(reason("course-written", file=str(path)))


app = command_app(new, EXAMPLE)
