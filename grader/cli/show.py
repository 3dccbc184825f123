"""``grader show``: the latest report of one submission."""

from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.course.language import ReportLanguage
from grader.course.show import latest
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.report.redact import Audience
from grader.report.terminal.submission import single_report

EXAMPLE = "Example: `grader show student-01 row-sum`"


def show(
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    audience: Annotated[
        Audience, typer.Option("--as", help="The reader: a student does not see what only staff may see.")
    ] = Audience.STAFF,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the report (default: the course's, or LANG)."),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Also show what each line of the source executed.")
    ] = False,
) -> None:
    """Show the latest report of one submission, with its source lines."""
    workspace = open_workspace()
    reader = student if audience is Audience.STUDENT else ""
    shown = terminal(workspace.config, language, student=reader)
    found = latest(workspace, student, lab, audience)
    if not found.sources:
        shown.note(reason("no-copy-of-file", file=found.report.file))
    for said in found.former if audience is Audience.STAFF else ():
        shown.note(said)
    report = (found.report, found.engine, found.sources, audience)
    out.print(single_report(*report, lines=lines, speech=shown.speech))


app = command_app(show, EXAMPLE)
