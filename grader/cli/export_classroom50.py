"""``grader export classroom50``: grades into a classroom's ``scores.json``."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.document_options import Output, Overwrite
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.export_documents import ClassroomScores, Target, export_scores
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = (
    "Example: `grader export classroom50 scores.json --lab row-sum --classroom cs --output new-scores.json`"
)


def classroom50(  # noqa: PLR0913 - one parameter per option of the command
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The scores.json of the classroom.")],
    *,
    lab: Annotated[str, typer.Option(help="The lab.")],
    classroom: Annotated[str, typer.Option(envvar="CLASSROOM", help="The classroom.")],
    output: Output,
    assignment: Annotated[
        str, typer.Option(envvar="ASSIGNMENT", help="The assignment's slug (default: the lab's name).")
    ] = "",
    overwrite: Overwrite = False,
) -> None:
    """Write the scores of a lab in whole points, marked so that the collector keeps them."""
    workspace = open_workspace()
    shown = terminal(workspace.config)
    target = Target(file=output, overwrite=overwrite)
    scores = ClassroomScores(file=file, classroom=classroom, assignment=assignment or lab)
    for note in export_scores(workspace, scores, lab, target):
        shown.warn(note)
    shown.note(reason("written", file=relative(output)))


app: typer.Typer = command_app(classroom50, EXAMPLE)
