"""``grader profile``: a student's own kernels under NVIDIA's tools, beside what the emulator says."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import err, out, warn
from grader.cli.setting import existing, open_setting
from grader.config.settings import EngineChoice
from grader.errors import InfrastructureError
from grader.grading.profiled import profiled
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.intake import collect
from grader.profiling.nsight import NSIGHT
from grader.profiling.sanitizer import SANITIZER
from grader.report.redact import Audience
from grader.report.terminal.profile import device_findings, side_by_side
from grader.report.terminal.submission import single_report
from grader.report.text import safe_text

EXAMPLE = "Example: `grader profile row_sum.cu --lab row-sum`"

_FAILED = 1


def profile(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Your file, or a folder with your files.")],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, where the path does not tell.")] = None,
) -> int:
    """Run your kernels under Nsight Compute and compute-sanitizer on this machine's GPU; nothing is recorded.

    Only your own: the tools run outside of any sandbox.
    """
    for tool in (NSIGHT, SANITIZER):
        tool.find()
    setting = open_setting()
    intake = collect(existing(path), labs=setting.registry.labs, lab=lab, limits=setting.config.limits)
    for warning in intake.warnings:
        warn(warning)
    failed = bool(intake.rejected)
    with setting.bench(EngineChoice.CUDA, trusted=True) as bench:
        rungs = RungModules(bench)
        for submission in intake.submissions:
            of_lab, seed = setting.registry.get(submission.lab), secrets.randbits(128)
            try:
                with err.status(f"checking {safe_text(submission.path)} …"):
                    report = grade(of_lab, submission, rungs, seed, public_only=True)
                out.print(
                    single_report(report, bench.engine_info, submission.files, Audience.STUDENT, lines=False)
                )
                with err.status(f"profiling {safe_text(submission.path)} …"):
                    found = profiled(of_lab, submission, report, bench, seed)
            except InfrastructureError as error:
                warn(f"{submission.path} could not be profiled: {error}")
                failed = True
                continue
            for kernel in report.kernels:
                if kernel.name in found.counted:
                    counted = found.counted[kernel.name]
                    measured = replace(kernel, lines=counted.lines, sites=counted.sites)
                    out.print(side_by_side(kernel, measured, submission.files))
            for part in device_findings(found.found, submission.files):
                out.print(part)
    return _FAILED if failed else 0
