"""``grader profile``: a student's own kernels under NVIDIA's tools, beside the emulator's counters."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out, terminal
from grader.cli.lazy_group import command_app
from grader.cli.submissions import read_submissions
from grader.course.profile import Reported, ToolResults, require_tools
from grader.course.profile import profile as profiled
from grader.course.select import Selection
from grader.course.workspace import open_workspace
from grader.messages import Speech
from grader.report.redact import Audience
from grader.report.terminal.profile import device_findings, emulator_vs_gpu
from grader.report.terminal.submission import single_report

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
    require_tools()
    workspace = open_workspace()
    shown = terminal(workspace.config)
    intake = read_submissions(path, workspace, Selection(labs=(lab,) if lab else ()), shown)
    finished = 0
    for step in profiled(workspace, intake, shown):
        if isinstance(step, Reported):
            report = (step.report, step.engine, step.submission.files, Audience.STUDENT)
            out.print(single_report(*report, speech=shown.speech))
        else:
            _print(step, shown.speech)
            finished += 1
    return 0 if finished == len(intake.submissions) and not intake.rejected else _FAILED


def _print(found: ToolResults, speech: Speech) -> None:
    for emulated, measured in found.kernels:
        out.print(emulator_vs_gpu(emulated, measured, found.submission.files, speech))
    for part in device_findings(found.findings, found.submission.files, speech):
        out.print(part)


app = command_app(profile, EXAMPLE)
