"""``grader diff``: who goes up, who goes down, who changes verdict, and why."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course import diff as service
from grader.course.workspace import open_workspace
from grader.report.terminal.changes import changes_table

EXAMPLE = "Example: `grader diff before.json results/results.json`"


def diff(
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="A results.json.")],
    after: Annotated[
        Path | None,
        typer.Argument(metavar="[AFTER]", help="Another one (default: what the store holds now)."),
    ] = None,
) -> None:
    """Show the results that differ between two gradings, with the lines of the rubric that changed."""
    workspace = open_workspace()
    found = service.diff(workspace, before, after)
    out.print(changes_table(found, terminal(workspace.config).speech))


app = command_app(diff, EXAMPLE)
