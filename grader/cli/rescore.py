"""``grader rescore``: score what is stored by the rubrics that apply now."""

from typing import Annotated

import typer

from grader.cli.causes import cause_lines
from grader.cli.console import note, out
from grader.cli.lazy_group import command_app
from grader.course import rescore as service
from grader.course.workspace import open_workspace
from grader.report.terminal.changes import changes_table

EXAMPLE = "Example: `grader rescore --lab row-sum --dry-run`"


def rescore(
    *,
    lab: Annotated[list[str] | None, typer.Option(help="Only this lab (repeatable).")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Only this student (repeatable).")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Store nothing; show what would change.")
    ] = False,
) -> None:
    """Score the latest submissions by today's points, thresholds and visibility; no kernel runs.

    What needs a new run is listed with the reason; `grader grade` does it.
    """
    done = service.rescore(open_workspace(), labs=lab or (), students=student or (), dry_run=dry_run)
    for line in cause_lines(done.rescored, "would be rescored" if dry_run else "rescored"):
        note(line)
    for line in cause_lines(done.again, "must be graded again"):
        note(line)
    if done.unchanged:
        note(f"{done.unchanged} have the score that their rubric gives.")
    if done.rescored:
        out.print(changes_table(done.changes))


app = command_app(rescore, EXAMPLE)
