"""``grader regrade run``: grade what waits in a regrade set."""

from functools import partial
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.progress import batch_view
from grader.cli.signals import exit_code
from grader.course import regrade_run as service
from grader.course.regrade_run import RunOptions
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.sandbox.choice import TRUST_OPTION

EXAMPLE = "Example: `grader regrade run`"

_NOT_GRADABLE = 1


def regrade_run(
    number: Annotated[
        int | None, typer.Argument(metavar="[NUMBER]", help="The set (default: the open one).")
    ] = None,
    *,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, max=1024, help="How many submissions to grade at once (default: [jobs] in grader.toml)."
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(metavar="ENGINE", help="The engine, also for what another one graded before."),
    ] = None,
    trusted: Annotated[
        bool,
        typer.Option(
            TRUST_OPTION,
            help="Trust all submissions: a sandbox that stops no attack is enough. Reports say so.",
        ),
    ] = False,
) -> int:
    """Score or grade the waiting rows of a set, each once. What counts does not change.

    A run that is stopped or killed goes on with the same command.
    """
    workspace = open_workspace()
    shown = terminal(workspace.config)
    options = RunOptions(number=number, engine=engine, jobs=jobs, trusted=trusted)
    done = service.run(workspace, options, partial(batch_view, shown), shown)
    shown.note(
        reason(
            "regrade-done",
            regrade=done.regrade,
            rescored=done.rescored,
            graded=done.graded,
            unchanged=done.unchanged,
            left=done.left,
        )
    )
    for code, count in (
        ("regrade-superseded", done.superseded),
        ("regrade-not-gradable", done.not_gradable),
        ("regrade-other-engine", done.other_engine),
    ):
        if count:
            shown.note(reason(code, count=count))
    if done.stopped is not None:
        return exit_code(done.stopped)
    return _NOT_GRADABLE if done.not_gradable else 0


app = command_app(regrade_run, EXAMPLE)
