"""NVIDIA's profiling tools run on Grader's kernels on a real GPU, if the tools are installed and permitted."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError
from grader.model.diagnostic import DiagnosticKind
from grader.model.run import LaunchJob
from grader.model.submission import Language
from grader.profiling import nsight, sanitizer
from grader.profiling.tools import Runner
from grader.sandbox.bubblewrap import unavailable
from grader.sandbox.gpu import chosen_gpu
from grader.sandbox.tool_runner import Confined, Unconfined
from tests.gpu.attack_kernels import KERNEL, LAB, SIGNATURE, SMALL, built
from tools.rung_kernels import job_on, labs, module, prepared

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

TRANSPOSE = next(lab for lab in labs() if lab.name == "transpose")
RACE = f"""
{SIGNATURE}
{{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float kept[256];
    kept[threadIdx.x] = a[i % n];
    const float other = kept[255 - threadIdx.x];
    if (i < n) c[i] = other + b[i];
}}
"""

T = TypeVar("T")


@pytest.fixture(params=["confined", "apart"])
def runner(request: pytest.FixtureRequest) -> Runner:
    """Return a tool runner, once in a sandbox and once without one."""
    if request.param == "apart":
        return Unconfined()
    if problem := unavailable():
        pytest.skip(problem)
    return Confined(chosen_gpu())


def asked(ask: Callable[[Runner, Sequence[LaunchJob]], T], runner: Runner, jobs: Sequence[LaunchJob]) -> T:
    """Return a tool's result. If the tool is missing or not permitted, skip the test with the reason."""
    try:
        return ask(runner, jobs)
    except UserError as error:
        pytest.skip(str(error))


def test_nsight_compute_counts_conflicts_of_an_unpadded_tile(cuda_engine: CudaEngine, runner: Runner) -> None:
    rung = module(TRANSPOSE, "shared_conflict", Language.CUDA_C, cuda_engine.device.arch)
    job = job_on(TRANSPOSE, rung, "transpose", prepared(TRANSPOSE, "medium"))
    (found,) = asked(nsight.counted, runner, [job])
    worst = max(site.transactions / site.ideal for site in found.sites if site.space == "shared")
    assert worst == pytest.approx(32)
    assert found.seconds > 0


def test_compute_sanitizer_finds_a_race_at_its_lines(cuda_engine: CudaEngine, runner: Runner) -> None:
    racy = built("race.cu", RACE.encode(), cuda_engine.device.arch)
    found = asked(sanitizer.checked, runner, [job_on(LAB, racy, KERNEL, prepared(LAB, SMALL))])
    assert {diagnostic.kind for diagnostic in found} == {DiagnosticKind.SHARED_RACE}
    lines = {found[0].line, *(place.line for place in found[0].related)}
    assert lines == {6, 7}
