"""Profile one's own kernels under NVIDIA's tools, beside the emulator's counters."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.config.settings import AUTO
from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.workspace import Workspace
from grader.errors import InfrastructureError, UserError
from grader.grading.cases import PUBLIC_CASES
from grader.grading.profiled import Profiled, Profiler
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.intake import Intake
from grader.model.diagnostic import Diagnostic
from grader.model.reason import reason
from grader.model.report import EngineInfo, KernelReport, Report
from grader.model.run import EngineKind
from grader.model.submission import Submission
from grader.profiling.nsight import NSIGHT
from grader.profiling.sanitizer import SANITIZER
from grader.profiling.tools import Runner
from grader.sandbox.bubblewrap import unavailable
from grader.sandbox.builtin import PROCESS
from grader.sandbox.gpu import chosen_gpu
from grader.sandbox.tool_runner import Confined, Unconfined


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """A submission's report on its public cases, before the tools run."""

    submission: Submission
    report: Report
    engine: EngineInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResults:
    """What the tools found: each profiled kernel as the emulator and as the GPU counted it, and the findings."""

    submission: Submission
    kernels: tuple[tuple[KernelReport, KernelReport], ...]
    findings: tuple[Diagnostic, ...]


def profile(workspace: Workspace, intake: Intake, notifier: Notifier) -> Iterator[Reported | ToolResults]:
    """Yield each submission's report, then what the tools found; a warning replaces what could not be done.

    Raises: ``UserError`` if a tool, the GPU or the configured sandbox is missing.
    """
    runner = _runner(workspace.config.sandbox.kind, notifier)
    with open_environment(workspace, EngineKind.CUDA, None, notifier, trusted=True) as environment:
        rungs, profiler = RungModules(environment, rung_cache()), Profiler(environment, runner)
        for submission in intake.submissions:
            lab, seed = workspace.registry.get(submission.lab), secrets.randbits(128)
            try:
                with notifier.status(reason("checking", file=submission.path)):
                    report = grade(lab, submission, rungs, seed, choice=PUBLIC_CASES)
                yield Reported(submission=submission, report=report, engine=environment.engine_info)
                with notifier.status(reason("profiling", file=submission.path)):
                    found = profiler.profiled(lab, submission, report, seed)
            except InfrastructureError as error:
                notifier.warn(reason("not-profiled", file=submission.path, why=str(error)))
            else:
                yield ToolResults(
                    submission=submission, kernels=_counted_twice(report, found), findings=found.found
                )


def require_tools() -> None:
    """Raises: ``UserError`` if one of the tools is not installed."""
    for tool in (NSIGHT, SANITIZER):
        tool.find()


def _counted_twice(report: Report, found: Profiled) -> tuple[tuple[KernelReport, KernelReport], ...]:
    counted = [
        (kernel, found.counted[kernel.name]) for kernel in report.kernels if kernel.name in found.counted
    ]
    return tuple((kernel, replace(kernel, lines=gpu.lines, sites=gpu.sites)) for kernel, gpu in counted)


def _runner(choice: str, notifier: Notifier) -> Runner:
    """How to run the tools. Raises: ``UserError`` if a sandbox is configured by name and is not available."""
    problem = unavailable()
    if choice == PROCESS:
        return Unconfined()
    if problem is None:
        return Confined(chosen_gpu())
    if choice != AUTO:
        msg = f"The tools run in bubblewrap, which cannot be used here: {problem}"
        raise UserError(msg, hint='Set sandbox.kind to "auto" to profile your own code without a sandbox.')
    notifier.warn(reason("tools-unconfined", why=problem))
    return Unconfined()
