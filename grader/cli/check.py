"""``grader check``: what students run on their own files."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import TERMINAL, note, out
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions
from grader.config.settings import EngineChoice
from grader.course import check as service
from grader.course.results import results_document
from grader.course.workspace import open_workspace
from grader.model.verdict import Verdict
from grader.report.redact import Audience
from grader.report.terminal.submission import single_report

EXAMPLE = "Example: `grader check row_sum.cu --lab row-sum`"

_NOT_GRADABLE = 1


def check(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Your file, or a folder with your files.")],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the path does not name it.")] = None,
    engine: Annotated[EngineChoice | None, typer.Option(help="The engine to run it on.")] = None,
    html_file: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the report as an HTML page.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Also show what each line of your source executed.")
    ] = False,
) -> int:
    """Build your kernels, run them on the public cases and show the report; nothing is recorded."""
    workspace = open_workspace()
    intake = read_submissions(path, workspace, lab)
    found = []
    for checked in service.check(workspace, intake, engine, TERMINAL):
        found.append(checked)
        out.print(
            single_report(
                checked.report, checked.engine, checked.submission.files, Audience.STUDENT, lines=lines
            )
        )
    reports = [checked.report for checked in found]
    if html_file is not None and found:
        from grader.report.pages import submission_page  # noqa: PLC0415 - loads the templates

        sources = {(s.student, s.lab): s.files for s in intake.submissions}
        submission_page.write(
            html_file, results_document(found[0].engine, reports), sources, Audience.STUDENT
        )
        note(f"Written: {html_file}")
    all_graded = len(reports) == len(intake.submissions) and not intake.rejected
    return 0 if all_graded and not any(r.verdict is Verdict.NOT_GRADABLE for r in reports) else _NOT_GRADABLE


app = command_app(check, EXAMPLE)
