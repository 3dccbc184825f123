"""Attacks that need a real GPU: on its caches, its memory, its context and its clock."""

from collections.abc import Iterator

import numpy as np
import pytest

from grader.config.settings import LimitSettings
from grader.engines.cuda.device import load_cupy
from grader.engines.cuda.engine import CudaEngine
from grader.grading.environment import GradingEnvironment
from grader.model.run import EngineKind
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tests.gpu.attack_kernels import (
    ALL_COPIES_AT_ONCE,
    ENDLESS,
    IDLE_AFTER_THE_FIRST,
    KEPT_BY_ADDRESS,
    LARGE,
    OPTIONS,
    PLAUSIBLE,
    POISONOUS,
    SMALL,
    built,
    compared,
    corpus,
    honest,
    on,
    right,
    speedup,
)
from tests.gpu.disposable import run_elsewhere
from tests.gpu.session_lock import GpuLock

pytestmark = pytest.mark.gpu


@pytest.fixture
def arch(cuda_engine: CudaEngine) -> str:
    return cuda_engine.device.arch


@pytest.mark.alone
@pytest.mark.parametrize("path", ["B/16-kept-in-cache.cu", "B/17-warmed-cache.cu"])
def test_hints_to_the_cache_gain_nothing(arch: str, path: str) -> None:
    assert speedup(compared(corpus(path, arch), LARGE, arch)) < PLAUSIBLE


@pytest.mark.alone
@pytest.mark.parametrize("source", [IDLE_AFTER_THE_FIRST, KEPT_BY_ADDRESS], ids=["idle", "by-address"])
def test_a_kernel_that_remembers_is_found_out_while_it_is_timed(arch: str, source: str) -> None:
    fault = compared(built("remembers.cu", source.encode(), arch), LARGE, arch).fault
    assert fault is not None
    assert (fault.verdict, fault.reason.code) == (Verdict.WRONG, "wrong-while-timed")


@pytest.mark.alone
@pytest.mark.parametrize("path", [ALL_COPIES_AT_ONCE, "G/87-looks-first.cu", "G/88-all-copies-at-last.cu"])
def test_one_launch_of_a_batch_cannot_do_the_work_of_all(arch: str, path: str) -> None:
    fault = compared(corpus(path, arch), SMALL, arch).fault
    assert fault is not None
    assert (fault.verdict, fault.reason.code) == (Verdict.WRONG, "wrong-while-timed")


@pytest.mark.alone
@pytest.mark.parametrize("case", [SMALL, LARGE])
def test_the_first_launch_cannot_do_the_work_of_all(arch: str, case: str) -> None:
    comparison = compared(corpus("B/19-all-calls-at-once.cu", arch), case, arch)
    # If it can write to the other buffers at all, its time covers at least the work of one launch.
    assert comparison.fault or speedup(comparison) < PLAUSIBLE


@pytest.mark.parametrize(
    "path",
    [
        "C/31-an-earlier-students-memory.cu",
        "D/42-copied-answers.cu",
        "D/43-one-behind.cu",
        "D/43-overwritten-answers.cu",
    ],
)
def test_a_kernel_that_reaches_for_other_buffers_is_not_accepted(cuda_engine: CudaEngine, path: str) -> None:
    job = on(SMALL, corpus(path, cuda_engine.device.arch))
    assert not right(run_elsewhere(job, OPTIONS).result, job, SMALL)


def test_nothing_of_an_earlier_submission_is_in_the_memory(cuda_engine: CudaEngine) -> None:
    earlier = honest(SMALL, cuda_engine.device.arch)
    result = cuda_engine.run(earlier, OPTIONS)
    assert right(result, earlier, SMALL)
    answer = result.outputs["c"][:64]

    found = on(SMALL, corpus("C/30-freed-memory.cu", cuda_engine.device.arch))
    assert not right(run_elsewhere(found, OPTIONS).result, found, SMALL)
    assert not any(answer in memory for memory in fresh_memory(len(result.outputs["c"])))


def fresh_memory(size: int) -> Iterator[bytes]:
    """Read newly allocated device memory: many buffers of ``size`` bytes, allocated where others were freed."""
    runtime = load_cupy().cuda.runtime
    addresses = [runtime.malloc(size) for _ in range(256)]
    try:
        for address in addresses:
            host = np.empty(size, np.uint8)
            runtime.memcpy(host.ctypes.data, address, size, runtime.memcpyDeviceToHost)
            yield host.tobytes()
    finally:
        for address in addresses:
            runtime.free(address)


@pytest.fixture(scope="module")
def environment(alone: GpuLock) -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        limits = LimitSettings(run_seconds=3.0)
        with alone():
            opened = GradingEnvironment.open(
                sandbox, EngineKind.CUDA, "Tesla T4", limits, modelled_counts=False
            )
        yield opened


@pytest.mark.parametrize(
    ("source", "verdict"),
    [(ENDLESS, Verdict.TIMED_OUT), (POISONOUS, Verdict.CRASHED)],
    ids=["endless", "poisonous"],
)
def test_the_next_submission_runs_after_a_lost_gpu_context(
    environment: GradingEnvironment, source: str, verdict: Verdict
) -> None:
    arch = environment.device.arch
    with environment.session() as session:
        lost = session.run(on(SMALL, built("lethal.cu", source.encode(), arch)))
    assert lost.fault is not None
    assert lost.fault.verdict is verdict
    with environment.session() as session:
        job = honest(SMALL, arch)
        assert right(session.run(job), job, SMALL)
