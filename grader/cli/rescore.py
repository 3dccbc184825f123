"""``grader rescore``: score what is stored by the rubrics that apply now."""

from typing import Annotated

import typer

from grader.cli.causes import rescored, to_grade_again, would_be_rescored
from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course import rescore as service
from grader.course.workspace import open_workspace
from grader.model.reason import reason
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
    workspace = open_workspace()
    shown = terminal(workspace.config)
    done = service.rescore(workspace, labs=lab or (), students=student or (), dry_run=dry_run)
    for said in would_be_rescored(done.rescored) if dry_run else rescored(done.rescored):
        shown.note(said)
    for said in to_grade_again(done.again):
        shown.note(said)
    if done.unchanged:
        shown.note(reason("rescore-unchanged", count=done.unchanged))
    if done.rescored:
        out.print(changes_table(done.changes, shown.speech))


app = command_app(rescore, EXAMPLE)
