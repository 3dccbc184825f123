"""``grader check``: what a student runs on their own file."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import err, out, warn
from grader.cli.setting import existing, open_setting
from grader.config.settings import EngineChoice
from grader.errors import InfrastructureError
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.intake import collect
from grader.labs.lab import Lab
from grader.model.report import EngineInfo
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.report.redact import Audience
from grader.report.terminal_report import single_report
from grader.report.text import safe_text

EXAMPLE = "Example: `grader check row_sum.cu --lab row-sum`"

_NOT_GRADABLE = 1


def check(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Your file, or a folder with your files.")],
    lab: Annotated[str | None, typer.Option(help="The lab, where the path does not tell.")] = None,
    engine: Annotated[EngineChoice | None, typer.Option(help="Where to run it.")] = None,
) -> int:
    """Build and run your kernels on the public cases and show what was found; nothing is recorded."""
    setting = open_setting()
    intake = collect(existing(path), labs=setting.registry.labs, lab=lab, limits=setting.config.limits)
    for warning in intake.warnings:
        warn(warning)
    with setting.bench(engine) as bench:
        rungs = RungModules(bench)
        info = EngineInfo(kind=bench.engine, device=bench.device.name)
        graded = [_check(setting.registry.get(s.lab), s, rungs, info) for s in intake.submissions]
    return 0 if all(graded) and not intake.rejected else _NOT_GRADABLE


def _check(lab: Lab, submission: Submission, rungs: RungModules, info: EngineInfo) -> bool:
    """Check and show one submission; whether it could be graded."""
    try:
        with err.status(f"checking {safe_text(submission.path)} …"):
            report = grade(lab, submission, rungs, secrets.randbits(128), public_only=True)
    except InfrastructureError as error:
        warn(f"{submission.path} could not be checked: {error}")
        return False
    out.print(single_report(report, info, submission.files, Audience.STUDENT))
    return report.verdict is not Verdict.NOT_GRADABLE
