"""``grader publish``: let students see the scores of a lab."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.course import publish as service
from grader.course.staff import Staff
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = 'Example: `grader publish row-sum --because "all regrades are done"`'


def publish(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="The scores are hidden again.")] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="The reason; for staff.")] = "",
    by: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")
    ] = "",
) -> None:
    """Publish the scores of a lab. It matters for labs with `scores = "when published"` in `course.toml`."""
    workspace = open_workspace()
    service.publish(workspace, lab, Staff(because=because, by=by), withdraw=withdraw)
    terminal(workspace.config).note(reason("lab-unpublished" if withdraw else "lab-published", lab=lab))


app = command_app(publish, EXAMPLE)
