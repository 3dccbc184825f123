"""``grader check``: what students run on their own files."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import err, note, out, warn
from grader.cli.environment import open_environment
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions
from grader.cli.results_document import results_document
from grader.cli.workspace import open_workspace
from grader.config.settings import EngineChoice
from grader.errors import InfrastructureError
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.model.report import Report
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.report.redact import Audience
from grader.report.terminal.submission import single_report
from grader.report.text import safe_text

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
    reports = []
    with open_environment(workspace, engine, trusted=True, probe=False) as environment:
        rungs = RungModules(environment, rung_cache())
        info = environment.engine_info
        for submission in intake.submissions:
            report = _check(workspace.registry.get(submission.lab), submission, rungs)
            if report is not None:
                reports.append(report)
                out.print(single_report(report, info, submission.files, Audience.STUDENT, lines=lines))
    if html_file is not None:
        from grader.report.pages import class_page  # noqa: PLC0415 - loads the templates

        sources = {(s.student, s.lab): s.files for s in intake.submissions}
        class_page.write(html_file, results_document(info, reports), sources, Audience.STUDENT)
        note(f"Written: {html_file}")
    all_graded = len(reports) == len(intake.submissions) and not intake.rejected
    return 0 if all_graded and not any(r.verdict is Verdict.NOT_GRADABLE for r in reports) else _NOT_GRADABLE


def _check(lab: Lab, submission: Submission, rungs: RungModules) -> Report | None:
    """The report on one submission; ``None`` if the machine failed."""
    try:
        with err.status(f"checking {safe_text(submission.path)} …"):
            return grade(lab, submission, rungs, secrets.randbits(128), public_only=True)
    except InfrastructureError as error:
        warn(f"{submission.path} could not be checked: {error}")
        return None


app = command_app(check, EXAMPLE)
