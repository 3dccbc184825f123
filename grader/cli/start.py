"""``grader start``: copy a lab's handout and starter."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out
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
    started = service.start(open_workspace(), lab_name, folder, language)
    title, file = started.lab.manifest.title, started.folder / started.first
    out.print(f"{title}: {', '.join(started.names)} are in {started.folder}", markup=False)
    out.print(
        f"Fill in {started.first}, then run: grader check {file} --lab {started.lab.name}", markup=False
    )


app = command_app(start, EXAMPLE)
