"""``grader regrade discard``: drop a regrade set."""

from grader.cli.lazy_group import command_app
from grader.cli.regrade_close import By, Number, Rows, Why, close

EXAMPLE = "Example: `grader regrade discard`"


def regrade_discard(number: Number = None, *, row: Rows = None, because: Why = "", by: By = "") -> None:
    """Close a set, or the rows of some students, without a change."""
    close(number, apply=False, students=row or (), because=because, by=by)


app = command_app(regrade_discard, EXAMPLE)
