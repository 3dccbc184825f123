"""Profile a submission's kernels with NVIDIA's tools, on the case that a report shows line by line."""

import threading
from dataclasses import dataclass

from grader.errors import InfrastructureError
from grader.grading.cases import draw_inputs
from grader.grading.context import launch_job
from grader.grading.environment import GradingEnvironment
from grader.grading.launch_geometry import settle_geometries
from grader.grading.optional_kernels import without_missing_optional
from grader.grading.rungs import build_request
from grader.labs.geometry import GeometryError
from grader.labs.lab import Lab
from grader.labs.manifest import largest_public
from grader.model.diagnostic import Diagnostic
from grader.model.report import Report
from grader.model.run import LaunchJob
from grader.model.submission import Submission
from grader.profiling import nsight, sanitizer
from grader.profiling.tools import Runner
from grader.sandbox.gpu_lock import gpu_lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiled:
    """The device's counters of the right kernels, by kernel, and the errors found in any kernel."""

    case: str
    counted: dict[str, nsight.Counted]
    found: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Profiler:
    """Profiles on the GPU of ``environment``; ``runner`` runs the tools."""

    environment: GradingEnvironment
    runner: Runner

    def profiled(self, lab: Lab, submission: Submission, report: Report, seed: int) -> Profiled:
        """Launch the kernels of ``submission`` under the tools, with inputs drawn from ``seed``.

        ``report`` says which kernels are right. Raises: ``UserError`` if a tool is missing or lacks permission,
        ``InfrastructureError`` if a tool fails or nothing can be launched.
        """
        if lab.manifest.program is not None:
            msg = "the tools profile kernels, and this lab asks for a whole program: `grader run --engine cuda` runs it"
            raise InfrastructureError(msg)
        case = largest_public(lab.manifest.cases)
        asked = build_request(lab, submission, self.environment.device.arch)
        outcome = without_missing_optional(lab, self.environment.build(asked))
        outcome = settle_geometries(lab, outcome)
        if case is None or outcome.module is None:
            msg = "there is nothing to launch"
            raise InfrastructureError(msg)
        inputs = draw_inputs(lab, case, seed)
        right = {kernel.name for kernel in report.kernels if kernel.verdict.earns_correctness}
        jobs: dict[str, LaunchJob] = {}
        for name in lab.manifest.graded:
            if outcome.problems.keys().isdisjoint(lab.manifest.parts(name)):
                try:
                    jobs[name] = launch_job(lab, outcome.module, lab.manifest.spec(name), inputs)
                except GeometryError:
                    continue  # the report already states the reason
        # The number of launches of a loop is not known before, and the tools count by launches.
        of_right = {name: each for name, each in jobs.items() if name in right and not each.plan.loops}
        with gpu_lock(threading.Event()):
            counts = nsight.counted(self.runner, list(of_right.values())) if of_right else []
            found = [
                diagnostic for each in jobs.values() for diagnostic in sanitizer.checked(self.runner, [each])
            ]
        return Profiled(
            case=case.name,
            counted=dict(zip(of_right, counts, strict=True)),
            found=tuple(dict.fromkeys(found)),
        )
