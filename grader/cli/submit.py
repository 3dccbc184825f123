"""``grader submit``: submit to the server of a course, watch, and read the report."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.course_server import logged_in, watched
from grader.cli.lazy_group import command_app
from grader.client.files import lab_of, read_files
from grader.course.language import ReportLanguage
from grader.course.select import require_exists
from grader.course.workspace import open_workspace
from grader.model.reason import reason

EXAMPLE = "Example: `grader submit row_sum.cu`"


def submit(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Your files, or a folder with them.")
    ],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the files do not name it.")] = None,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the report (default: the course's, or LANG)."),
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Watch until the attempt is graded, and show the report.")
    ] = True,
) -> int:
    """Submit to the server of your course, watch until the attempt is graded, and show the report.

    The exit code is that of the verdict. After a lost connection the command goes on; nothing is submitted twice.
    """
    shown = terminal(open_workspace().config, language)
    server = logged_in(shown)
    paths = [require_exists(file) for file in files]
    contents = read_files(paths)
    wanted = lab_of(paths, [each.name for each in server.labs().labs], lab)
    attempt = server.submit(wanted, contents)
    received = reason("attempt-received", lab=wanted, number=attempt.number, attempt=attempt.id)
    if wait:
        return watched(server, attempt.id, shown, received)
    shown.note(received)
    shown.note(reason("watch-attempt", command=f"`grader status {attempt.id} --watch`"))
    return 0


app = command_app(submit, EXAMPLE)
