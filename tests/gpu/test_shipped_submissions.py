"""Every mutant and sample submission gives the same answers on a real GPU and on the emulator, right or wrong."""

from collections.abc import Iterator

import numpy as np
import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.engines.emulator.engine import EmulatorEngine
from grader.judge.outputs import arrays_of, within
from grader.labs.expected import Expected
from grader.labs.manifest import Case, Use
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.run import EngineKind, RunOptions, RunResult
from tests.gpu.not_comparable import NOT_BUILT, NOT_LAUNCHED, UNDEFINED, UNSEEN
from tools.labs import COURSE_PACK
from tools.rung_kernels import gpu_cases, job_on, prepared
from tools.shipped_submissions import ShippedSubmission, built, shipped_submissions

pytestmark = pytest.mark.gpu

SUBMISSIONS = [
    submission
    for submission in shipped_submissions()
    if submission.kind != "rung" and submission.lab.name not in COURSE_PACK
]
"""The tables of what is undefined or unseen do not hold the course pack."""

UNDEFINED_KINDS = {
    DiagnosticKind.OUT_OF_BOUNDS,
    DiagnosticKind.UNINITIALISED,
    DiagnosticKind.SHARED_RACE,
    DiagnosticKind.GLOBAL_RACE,
    DiagnosticKind.DIVERGENT_BARRIER,
    DiagnosticKind.ENDLESS_LOOP,
    DiagnosticKind.MISALIGNED,
}
"""Findings of undefined behavior in CUDA, and of errors that destroy a GPU's context."""

OPTIONS = RunOptions(timeout=30.0, max_steps=20_000_000)

CASES = 4
"""Checking cases of each lab to run: a single element, whole tiles, and partial ones."""


@pytest.fixture(scope="module")
def emulator() -> Iterator[EmulatorEngine]:
    engine = EmulatorEngine(TESLA_T4)
    yield engine
    engine.close()


@pytest.mark.parametrize("submission", SUBMISSIONS, ids=str)
def test_gpu_and_emulator_agree_on_submissions(
    cuda_engine: CudaEngine, emulator: EmulatorEngine, submission: ShippedSubmission
) -> None:
    module = built(submission, cuda_engine.device.arch).module
    assert (module is None) == (str(submission) in NOT_BUILT)
    if module is None or str(submission) in NOT_LAUNCHED:
        return
    for kernel in module.kernels:
        given = [prepared(submission.lab, case.name) for case in small_cases(submission)]
        jobs = [job_on(submission.lab, module, kernel.name, each) for each in given]
        emulated = [emulator.run(job, OPTIONS) for job in jobs]
        undefined = (str(submission), kernel.name) in UNDEFINED
        assert any(promised_nothing(result) for result in emulated) == undefined, kernel.name
        if undefined or (str(submission), kernel.name) in UNSEEN:
            continue
        for each, job, here in zip(given, jobs, emulated, strict=True):
            on_gpu = cuda_engine.run(job, OPTIONS)
            assert (on_gpu.fault, here.fault) == (None, None)
            theirs = arrays_of(on_gpu.outputs, job.plan)
            for name, array in arrays_of(here.outputs, job.plan).items():
                # Unwritten elements hold poison on both engines: a NaN, compared like any other.
                wanted = Expected(value=array.astype(np.float64), scale=each.expected[name].scale)
                assert within(theirs[name], wanted, submission.lab.manifest.tolerance.factor).all(), name


def small_cases(submission: ShippedSubmission) -> list[Case]:
    """Return the first checking cases, which both engines run and which are not timed."""
    both = [case for case in gpu_cases(submission.lab, Use.CHECK) if EngineKind.EMULATOR in case.engines]
    return [case for case in both if Use.TIME not in case.use][:CASES]


def promised_nothing(result: RunResult) -> bool:
    """Whether the emulator found undefined behavior; a note reports a race that changes no output."""
    return any(
        found.kind in UNDEFINED_KINDS and found.severity is not Severity.NOTE for found in result.diagnostics
    )
