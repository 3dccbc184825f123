"""``grader labs new``: the files of a new lab."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.config.wording import display
from grader.course.lab_new import new_lab
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader labs new exclusive-scan --like pipeline`"


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the lab, such as exclusive-scan.")],
    *,
    like: Annotated[
        str,
        typer.Option(metavar="KIND", help="What it is like: matmul, row-wise, pipeline, frame or program."),
    ] = "matmul",
) -> None:
    """Write a small lab that `grader labs validate` accepts, to be changed into yours."""
    workspace = open_workspace()
    lab, reference = new_lab(workspace, name, like)
    terminal(workspace.config).note(
        reason("lab-written", lab=name, folder=display(lab), reference=display(reference))
    )


app = command_app(new, EXAMPLE)
