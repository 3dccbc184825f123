"""``grader profile``: a student's own kernels under NVIDIA's tools, beside the emulator's counters."""

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import err, out, warn
from grader.cli.environment import open_environment
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions
from grader.cli.workspace import open_workspace
from grader.config.settings import EngineChoice, SandboxChoice
from grader.errors import InfrastructureError, UserError
from grader.grading.profiled import Profiler
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.profiling.nsight import NSIGHT
from grader.profiling.sanitizer import SANITIZER
from grader.profiling.tools import Runner
from grader.report.redact import Audience
from grader.report.terminal.profile import device_findings, emulator_vs_gpu
from grader.report.terminal.submission import single_report
from grader.report.text import safe_text
from grader.sandbox.bubblewrap import unavailable
from grader.sandbox.gpu import chosen_gpu
from grader.sandbox.tool_runner import Confined, Unconfined

EXAMPLE = "Example: `grader profile row_sum.cu --lab row-sum`"

_FAILED = 1


def profile(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Your file, or a folder with your files.")],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the path does not name it.")] = None,
) -> int:
    """Run your kernels under Nsight Compute and compute-sanitizer on this machine's GPU; nothing is recorded.

    The tools run in a bubblewrap sandbox where this machine allows it.
    """
    for tool in (NSIGHT, SANITIZER):
        tool.find()
    workspace = open_workspace()
    runner = _runner(workspace.config.sandbox.kind)
    intake = read_submissions(path, workspace, lab)
    failed = bool(intake.rejected)
    with open_environment(workspace, EngineChoice.CUDA, trusted=True) as environment:
        rungs, profiler = RungModules(environment, rung_cache()), Profiler(environment, runner)
        for submission in intake.submissions:
            of_lab, seed = workspace.registry.get(submission.lab), secrets.randbits(128)
            try:
                with err.status(f"checking {safe_text(submission.path)} …"):
                    report = grade(of_lab, submission, rungs, seed, public_only=True)
                out.print(
                    single_report(
                        report, environment.engine_info, submission.files, Audience.STUDENT, lines=False
                    )
                )
                with err.status(f"profiling {safe_text(submission.path)} …"):
                    found = profiler.profiled(of_lab, submission, report, seed)
            except InfrastructureError as error:
                warn(f"{submission.path} could not be profiled: {error}")
                failed = True
                continue
            for kernel in report.kernels:
                if kernel.name in found.counted:
                    counted = found.counted[kernel.name]
                    measured = replace(kernel, lines=counted.lines, sites=counted.sites)
                    out.print(emulator_vs_gpu(kernel, measured, submission.files))
            for part in device_findings(found.found, submission.files):
                out.print(part)
    return _FAILED if failed else 0


def _runner(choice: SandboxChoice) -> Runner:
    """How to run the tools. Raises: ``UserError`` if a sandbox is configured by name and is not available."""
    problem = unavailable()
    if choice is SandboxChoice.PROCESS:
        return Unconfined()
    if problem is None:
        return Confined(chosen_gpu())
    if choice is not SandboxChoice.AUTO:
        msg = f"The tools run in bubblewrap, which cannot be used here: {problem}"
        raise UserError(msg, hint='Set sandbox.kind to "auto" to profile your own code without a sandbox.')
    warn(f"The tools run outside of any sandbox, so profile nobody's code but your own: {problem}")
    return Unconfined()


app = command_app(profile, EXAMPLE)
