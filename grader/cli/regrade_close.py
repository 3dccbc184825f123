"""What ``grader regrade apply`` and ``grader regrade discard`` share."""

from collections import Counter
from collections.abc import Collection
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.regrade import rows_by_state
from grader.course import regrade as service
from grader.course.workspace import open_workspace
from grader.model.reason import reason

Number = Annotated[int | None, typer.Argument(metavar="[NUMBER]", help="The set (default: the open one).")]
Rows = Annotated[
    list[str] | None, typer.Option(metavar="STUDENT", help="Only this student's rows (repeatable).")
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason; for staff (default: that of the set).")]
By = Annotated[str, typer.Option(metavar="NAME", help="Who decides (default: the user who is logged in).")]


def close(number: int | None, *, apply: bool, students: Collection[str], because: str, by: str) -> None:
    """Apply or discard, and say what was closed."""
    workspace = open_workspace()
    closed = service.close(workspace, number, apply=apply, students=students, because=because, by=by)
    states = tuple(rows_by_state(Counter(str(each.state) for each in closed).items()))
    said = reason("rows-by-state", states=states) if states else reason("regrade-nothing-closed")
    terminal(workspace.config).note(said)
