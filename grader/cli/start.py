"""``grader start``: copy a lab's handout and starter."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course import start as service
from grader.course.workspace import open_workspace

EXAMPLE = "Example: `grader start row-sum my-row-sum --language numba`"


def start(
    lab_name: Annotated[str, typer.Argument(metavar="LAB", help="The lab to start.")],
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Where to copy to (default: a folder with the lab's name)."),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="LANGUAGE", help="Copy only the starter in this language, such as numba."),
    ] = None,
) -> None:
    """Copy a lab's handout and starter files."""
    workspace = open_workspace()
    speech = terminal(workspace.config).speech
    started = service.start(workspace, lab_name, folder, language)
    title, where = started.lab.manifest.title, str(started.folder)
    command = f"grader check {started.folder / started.first} --lab {started.lab.name}"
    copied = speech.says("lab-copied", title=title, files=started.names, folder=where)
    out.print(copied, markup=False)
    out.print(speech.says("fill-in", file=started.first, command=command), markup=False)


app = command_app(start, EXAMPLE)
