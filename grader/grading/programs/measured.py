"""Times the program of a submission on a real GPU against the rungs that the lab compares it with."""

import secrets
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from grader.errors import InfrastructureError
from grader.grading.cases import draw_inputs, lab_error
from grader.grading.environment import GradingEnvironment
from grader.grading.programs.case_run import io_plan
from grader.grading.programs.languages import MEASURED
from grader.grading.programs.sandbox import ProgramSandbox
from grader.grading.programs.timing import Arrays, ProgramTimes, TimedPrograms, time_program
from grader.grading.rungs import rung_files, rung_sources, submission_of
from grader.judge.outputs import WrongOutput, find_wrong
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.labs.program import ProgramRequest
from grader.model.facts import KernelFacts, ProgramFacts
from grader.model.plan import LaunchPlan
from grader.model.reason import Reason, reason
from grader.model.run import EngineKind, TimedComparison
from grader.model.submission import Language, SourceFile, Submission
from grader.programs.build import Sources
from grader.programs.compile_error import CompileError
from grader.programs.gpu.compile import compile_for_gpu
from grader.programs.gpu.device import gpu_device
from grader.programs.timed.program import Parameter
from grader.programs.timed.sources import floor_sources, timed_sources
from grader.sandbox.gpu import chosen_gpu
from grader.sandbox.gpu_lock import gpu_lock
from grader.sandbox.program_start import Streams

_FACTOR = 6.0
"""Time limit of a comparison in run limits: it runs both programs many times."""


def measured(
    lab: Lab, submission: Submission, environment: GradingEnvironment, kernel: KernelFacts, case: Case | None
) -> KernelFacts:
    """``kernel`` with times that are measured on ``case``, where a GPU grades and the lab's own ``main`` runs.

    Raises: ``InfrastructureError`` where a rung cannot be timed.
    """
    request = lab.manifest.program
    if (
        environment.engine != EngineKind.CUDA
        or submission.language not in MEASURED
        or request is None
        or request.function is None
        or case is None
        or kernel.program is None
        or not kernel.all_cases_passed
    ):
        return kernel
    return _Measurement(lab, request, environment, case).measured(submission, kernel, kernel.program)


@dataclass(frozen=True, slots=True)
class _Case:
    """The judge's view of the timing case."""

    lab: Lab
    case: Case
    plan: LaunchPlan

    def draw(self) -> Arrays:
        """New inputs."""
        drawn = draw_inputs(self.lab, self.case, secrets.randbits(128))
        return {name: array.reshape(-1) for name, array in drawn.arrays.items()}

    def wrong(self, inputs: Arrays, outputs: Arrays) -> Reason | None:
        """What is wrong with ``outputs``. Raises: ``LabError`` for inputs that the oracle does not take."""
        shaped = {name: array.reshape(self.plan.buffer(name).shape) for name, array in inputs.items()}
        try:
            expected = self.lab.oracle(self.case, shaped)
        except Exception as error:
            raise lab_error(self.lab, self.case, error) from error
        data = {name: array.tobytes() for name, array in outputs.items()}
        found = find_wrong(data, self.plan, expected, self.lab.manifest.tolerance.factor)
        if found is None:
            return None
        count = int(np.count_nonzero(found.wrong)) if isinstance(found, WrongOutput) else found.buffer.size
        return reason("wrong-while-timed", count=count, size=found.buffer.size, buffer=found.buffer.name)


class _Measurement:
    """Builds programs in the timed mode, and times them on one case."""

    def __init__(
        self, lab: Lab, request: ProgramRequest, environment: GradingEnvironment, case: Case
    ) -> None:
        self._lab = lab
        self._request = request
        self._environment = environment
        self._case = case
        self._sandbox = ProgramSandbox.of(environment)
        self._device = gpu_device()

    def measured(self, submission: Submission, kernel: KernelFacts, program: ProgramFacts) -> KernelFacts:
        """``kernel`` with measured comparisons and reasons to flag them."""
        own = self._built(submission.files)
        comparisons: dict[str, TimedComparison] = {}
        flags: dict[Reason, None] = {}
        for rung in kernel.comparisons:
            targets = self._lab.manifest.rubric.targets(kernel.name, rung)
            times = self._timed(self._rung(rung, submission.language), own, targets)
            if times.comparison.fault is not None:
                return replace(kernel, timing_fault=times.comparison.fault, comparisons={})
            comparisons[rung] = times.comparison
            flags |= dict.fromkeys(times.flags)
        facts = replace(program, measured_on=self._device.name, flags=(*program.flags, *flags))
        return replace(kernel, comparisons=comparisons, program=facts)

    def _built(self, files: Sequence[SourceFile]) -> bytes:
        named = {file.name: file.data for file in files}
        return self._compiled(timed_sources(self._request.name, self._request.params, named))

    def _compiled(self, sources: Sources) -> bytes:
        return compile_for_gpu(sources, self._sandbox.toolchain, self._device.arch, self._sandbox.tool)

    def _rung(self, name: str, language: Language) -> bytes:
        known = self._lab.manifest.rung(name)
        sources = rung_sources(self._lab, known)
        written_in = language if language in sources else next(iter(sources))
        try:
            files = rung_files(self._lab, known, written_in)
            return self._built(submission_of(self._lab, files, written_in, name).files)
        except CompileError as error:
            msg = f"rung {name} of lab {self._lab.name} does not build for a GPU: {error}"
            raise InfrastructureError(msg) from error

    def _timed(self, reference: bytes, submission: bytes, targets: Sequence[float]) -> ProgramTimes:
        plan = io_plan(self._lab, self._request, self._case)
        judge = _Case(self._lab, self._case, plan)
        gpu = chosen_gpu()
        programs = TimedPrograms(
            reference=reference,
            submission=submission,
            floor=self._compiled(floor_sources(self._request.params)),
            parameters=_parameters(self._request, plan, self._case.sizes),
            draw=judge.draw,
            wrong=judge.wrong,
            device=self._device.name,
            uuid=gpu.uuid,
        )
        limit = self._environment.limits.run_seconds
        quiet = Streams(input=subprocess.DEVNULL, output=subprocess.DEVNULL)
        with (
            tempfile.TemporaryDirectory(prefix="grader-work-") as work,
            gpu_lock(threading.Event()),
            self._environment.budget.spend(_FACTOR * limit) as seconds,
        ):
            start = self._sandbox.start_on_gpu(Path(work), quiet, gpu)
            return time_program(
                programs, start, targets, answer_seconds=min(limit, seconds), most_seconds=seconds
            )


def _parameters(request: ProgramRequest, plan: LaunchPlan, sizes: Mapping[str, int]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(param=param, size=plan.buffer(param.name).size)
        if param.is_array
        else Parameter(param=param, number=sizes[param.name])
        for param in request.params
    )
