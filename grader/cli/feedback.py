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
from grader.errors import UserError
from grader.model.reason import reason

EXAMPLE = "Example: `grader feedback --out feedback --lab row-sum`"


def feedback(  # noqa: PLR0913 - one parameter per option of the command
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="The folder to write into; with --moodle, the zip file to write."),
    ],
    lab: Annotated[list[str] | None, typer.Option(help="Only this lab (repeatable).")] = None,
    student: Annotated[list[str] | None, typer.Option(help="Only this student (repeatable).")] = None,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the feedback (default: the student's, the course's, or English)."),
    ] = None,
    moodle: Annotated[
        Path | None,
        typer.Option(
            metavar="DOWNLOAD",
            help="Pack the feedback for Moodle, for the people in this download: a zip, a folder or the worksheet.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the zip file, if it is there.")
    ] = False,
) -> None:
    """Write one page and one text for each student, with the latest results and nothing that only staff may see."""
    workspace = open_workspace()
    shown = terminal(workspace.config, language)
    if moodle is None:
        written = service.feedback(workspace, out, language, labs=lab or (), students=student or ())
        shown.note(reason("written-files", count=len(written), folder=relative(out)))
        return
    from grader.course.feedback_zip import ZipRequest, feedback_zip  # noqa: PLC0415 - loads the readers of archives

    if lab is None or len(lab) != 1 or student:
        msg = "Feedback for Moodle is for one lab, and for everybody in the download."
        raise UserError(msg, hint="Name the lab with --lab, once, and no student.")
    packed = feedback_zip(
        workspace, ZipRequest(download=moodle, file=out, lab=lab[0], language=language, overwrite=overwrite)
    )
    for note in packed.notes:
        shown.warn(note)
    shown.note(reason("feedback-packed", count=packed.people, file=relative(packed.file)))


app = command_app(feedback, EXAMPLE)
