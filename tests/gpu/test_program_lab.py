"""A program lab graded beside a real GPU: correctness on the emulator, speed end to end on the GPU."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import collect_facts
from grader.judge.speed import speedup
from grader.model.facts import KernelFacts
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.sandbox.process import ProcessSandbox
from tests.gpu.session_lock import GpuLock
from tools.labs import built_in_labs

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

LAB = "vector-add-program"


@pytest.fixture(scope="module")
def environment(alone: GpuLock) -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        with alone():
            opened = GradingEnvironment.open(
                sandbox, EngineKind.CUDA, "Tesla T4", LimitSettings(), modelled_counts=False
            )
        yield replace(opened, trusted=True)


def graded(environment: GradingEnvironment, rung: str) -> KernelFacts:
    """The facts about a rung as a submission."""
    lab = built_in_labs().labs[LAB]
    files = rung_files(lab, lab.manifest.rung(rung), Language.CUDA_C)
    submission = submission_of(lab, files, Language.CUDA_C, rung)
    (kernel,) = collect_facts(lab, submission, RungModules(environment), seed=1).kernels
    return kernel


def test_a_right_program_has_measured_speedups_over_the_rungs(environment: GradingEnvironment) -> None:
    kernel = graded(environment, "whole")
    assert kernel.all_cases_passed
    assert kernel.program is not None
    assert (kernel.program.measured_on, kernel.program.flags) == (environment.device.name, ())
    over = {rung: speedup(found, rung).value for rung, found in kernel.comparisons.items()}
    assert not any(found.modelled for found in kernel.comparisons.values())
    assert over["in_pieces"] > 5
    assert 0.8 < over["whole"] < 1.25
