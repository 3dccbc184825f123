"""``grader feedback``: a page and a text for each student."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course import feedback as service
from grader.course.language import ReportLanguage
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader feedback --out feedback --lab row-sum`"


def feedback(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write into.")],
    lab: Annotated[list[str] | None, typer.Option(help="Only this lab (repeatable).")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Only this student (repeatable).")] = None,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the feedback (default: the student's, the course's, or English)."),
    ] = None,
) -> None:
    """Write one page and one text for each student, with the latest results and nothing that only staff may see."""
    workspace = open_workspace()
    written = service.feedback(workspace, out, language, labs=lab or (), students=student or ())
    shown = terminal(workspace.config, language)
    shown.note(reason("written-files", count=len(written), folder=relative(out)))


app = command_app(feedback, EXAMPLE)
