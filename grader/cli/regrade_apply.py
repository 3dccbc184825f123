"""``grader regrade apply``: let a regrade set count."""

from grader.cli.lazy_group import command_app
from grader.cli.regrade_close import By, Number, Rows, Why, close

EXAMPLE = "Example: `grader regrade apply --row student-01`"


def regrade_apply(number: Number = None, *, row: Rows = None, because: Why = "", by: By = "") -> None:
    """Let the proposed scores of a set count, all of them or those of some students.

    All rows are applied or none. Applying again does nothing, and a score of newer work is never replaced.
    """
    close(number, apply=True, students=row or (), because=because, by=by)


app = command_app(regrade_apply, EXAMPLE)
