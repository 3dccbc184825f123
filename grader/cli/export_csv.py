"""``grader export csv``: the grades of the course with a published schema."""

import typer

from grader.cli.console import terminal
from grader.cli.document_options import Labs, Output, Overwrite
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.export_documents import Target, export_csv
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader export csv --output grades.csv`"


def csv(*, output: Output, lab: Labs = None, overwrite: Overwrite = False) -> None:
    """Write one row for each person and lab."""
    workspace = open_workspace()
    count = export_csv(workspace, lab or (), Target(file=output, overwrite=overwrite))
    terminal(workspace.config).note(reason("export-rows", count=count, file=relative(output)))


app: typer.Typer = command_app(csv, EXAMPLE)
