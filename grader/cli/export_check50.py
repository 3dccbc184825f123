"""``grader export check50``: one result in the form of check50."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.document_options import Output, Overwrite, ReadAs, TextLanguage
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.export_documents import Reader, Target, export_check50
from grader.course.language import spoken
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.redact import Audience

EXAMPLE = "Example: `grader export check50 student-01 row-sum --output result.json`"


def check50(  # noqa: PLR0913 - one parameter per option of the command
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    output: Output,
    audience: ReadAs = Audience.STUDENT,
    language: TextLanguage = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a check for each case of the newest result."""
    workspace = open_workspace()
    speech = spoken(language, workspace.config, student=student, terminal=False)
    target = Target(file=output, overwrite=overwrite)
    export_check50(workspace, student, lab, Reader(audience=audience, speech=speech), target)
    terminal(workspace.config).note(reason("written", file=relative(output)))


app: typer.Typer = command_app(check50, EXAMPLE)
