"""``grader gradescope-run``: what an autograder runs in Gradescope's container."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course.environment import prepare_emulator
from grader.course.gradescope import run_in_container
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.redact import Audience
from grader.report.terminal.submission import single_report

EXAMPLE = "Example: `grader gradescope-run --root /autograder`"


def gradescope_run(
    *,
    root: Annotated[Path, typer.Option(metavar="DIR", help="The folder that Gradescope fills.")] = Path(
        "/autograder"
    ),
    prepare: Annotated[
        bool, typer.Option("--prepare", help="Only compile the emulator, when the image is built.")
    ] = False,
) -> None:
    """Grade the submission in a container of Gradescope and write its results; staff read what this prints."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    if prepare:
        prepare_emulator(shown)
        return
    done = run_in_container(workspace, root)
    if done.report is None:
        shown.note(reason("gradescope-kept"))
    elif done.engine is not None:
        out.print(
            single_report(
                done.report, done.engine, done.sources, Audience.STAFF, lines=False, speech=shown.speech
            )
        )


app = command_app(gradescope_run, EXAMPLE)
