"""``grader export junit``: the newest results as JUnit XML."""

import typer

from grader.cli.console import terminal
from grader.cli.document_options import Labs, Output, Overwrite, ReadAs, TextLanguage
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.export_documents import Reader, Target, export_junit
from grader.course.language import spoken
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.redact import Audience

EXAMPLE = "Example: `grader export junit --lab row-sum --output row-sum.xml`"


def junit(
    *,
    output: Output,
    lab: Labs = None,
    audience: ReadAs = Audience.STAFF,
    language: TextLanguage = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a suite for each submission, and a test for each case."""
    workspace = open_workspace()
    speech = spoken(language, workspace.config, terminal=False)
    target = Target(file=output, overwrite=overwrite)
    count = export_junit(workspace, lab or (), Reader(audience=audience, speech=speech), target)
    terminal(workspace.config).note(reason("export-rows", count=count, file=relative(output)))


app: typer.Typer = command_app(junit, EXAMPLE)
