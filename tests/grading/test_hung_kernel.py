"""A hung kernel fails its own case and does not affect other submissions."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings
from grader.grading.cases import PUBLIC_CASES
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs

LAB = built_in_labs().get("transpose")
HEAD = "__global__ void transpose(const float *a, float *b, int rows, int cols)\n"
ENDLESS = HEAD + "{ volatile int stay = 1; while (stay) { } b[0] = a[0]; }\n"
RIGHT = HEAD + (
    "{ for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)\n"
    "    for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < cols; j += gridDim.y * blockDim.y)\n"
    "      b[(size_t)j * rows + i] = a[(size_t)i * cols + j]; }\n"
)


@pytest.fixture(scope="module")
def rungs() -> Iterator[RungModules]:
    """Set a step limit so high that the time limit ends a hung kernel."""
    limits = LimitSettings(run_seconds=1.5, steps=10**15)
    with PooledSandbox(ProcessSandbox(), 1) as sandbox:
        yield RungModules(
            GradingEnvironment.open(sandbox, EngineKind.EMULATOR, "Tesla T4", limits, modelled_counts=True)
        )


def graded(source: str, rungs: RungModules) -> Report:
    files = (SourceFile(name="transpose.cu", data=source.encode()),)
    submission = Submission(
        student="s", lab="transpose", language=Language.CUDA_C, files=files, path="transpose.cu"
    )
    return grade(LAB, submission, rungs, seed=7, choice=PUBLIC_CASES)


def test_it_times_out_and_the_next_submission_is_graded(rungs: RungModules) -> None:
    before = graded(RIGHT, rungs)
    hung = graded(ENDLESS, rungs)
    after = graded(RIGHT, rungs)
    assert hung.verdict is Verdict.TIMED_OUT
    assert (before.verdict, after.verdict) == (Verdict.ACCEPTED, Verdict.ACCEPTED)
    assert after.score == before.score
