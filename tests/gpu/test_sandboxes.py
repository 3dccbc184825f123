"""A real GPU inside the sandboxes: kernels run, are timed, and a hostile one takes nothing and nobody with it."""

from collections.abc import Iterator

import pytest

from grader.config.settings import LimitSettings, SandboxChoice
from grader.grading.environment import GradingEnvironment
from grader.grading.session import RunSession
from grader.judge.outputs import output_checks
from grader.model.confidence import EARLY_LOOK
from grader.model.module import DeviceModule
from grader.model.run import Comparison, EngineKind, LaunchJob
from grader.model.submission import Language
from grader.model.verdict import Verdict
from tests.attacks.sandboxes import opened
from tests.gpu.ladder import module, prepared, work_on
from tests.gpu.session_lock import GpuLock
from tests.gpu.test_attacks import (
    ALL_COPIES_AT_ONCE,
    ENDLESS,
    IDLE_AFTER_THE_FIRST,
    KEPT_BY_ADDRESS,
    KERNEL,
    LAB,
    LARGE,
    PLAUSIBLE,
    POISONOUS,
    SMALL,
    built,
    corpus,
    right,
    speedup,
)

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module", params=[SandboxChoice.BUBBLEWRAP, SandboxChoice.DOCKER])
def bench(request: pytest.FixtureRequest, alone: GpuLock) -> Iterator[GradingEnvironment]:
    with opened(request.param) as sandbox:
        limits = LimitSettings(run_seconds=5.0)
        with alone():
            found = GradingEnvironment.open(
                sandbox, EngineKind.CUDA, "Tesla T4", limits, modelled_counts=False
            )
        yield found


def on(of: DeviceModule, case: str = SMALL) -> LaunchJob:
    return work_on(LAB, of, KERNEL, prepared(LAB, case))


def honest(bench: GradingEnvironment, case: str = SMALL) -> LaunchJob:
    return on(module(LAB, "whole_grid", Language.CUDA_C, bench.device.arch), case)


def compared(session: RunSession, bench: GradingEnvironment, work: LaunchJob, case: str) -> Comparison:
    """``work`` against honest work of the same kind, looked at as a student's is."""
    baseline, factor = honest(bench, case), LAB.manifest.tolerance.factor
    checks = output_checks(work.plan, baseline.plan, prepared(LAB, case).expected, factor)
    return session.compare(baseline, work, checks)


@pytest.mark.alone
def test_kernels_run_and_are_timed(bench: GradingEnvironment) -> None:
    work = honest(bench)
    with bench.session() as session:
        assert right(session.run(work), work, SMALL)
        comparison = compared(session, bench, work, SMALL)
    assert comparison.fault is None
    assert not comparison.modelled
    assert len(comparison.pairs) >= EARLY_LOOK


@pytest.mark.parametrize(
    ("source", "verdict"),
    [(ENDLESS, Verdict.TIMED_OUT), (POISONOUS, Verdict.CRASHED)],
    ids=["endless", "poisonous"],
)
def test_the_next_submission_runs_after_one_that_took_the_gpu_with_it(
    bench: GradingEnvironment, source: str, verdict: Verdict
) -> None:
    with bench.session() as session:
        lost = session.run(on(built("lethal.cu", source.encode(), bench.device.arch)))
    assert lost.fault is not None
    assert lost.fault.verdict is verdict
    work = honest(bench)
    with bench.session() as session:
        assert right(session.run(work), work, SMALL)


@pytest.mark.parametrize(
    "path", ["C/30-freed-memory.cu", "C/31-an-earlier-students-memory.cu", "D/42-copied-answers.cu"]
)
def test_nothing_of_an_earlier_submission_is_found(bench: GradingEnvironment, path: str) -> None:
    work = honest(bench)
    with bench.session() as session:
        assert right(session.run(work), work, SMALL)
    hostile = on(corpus(path, bench.device.arch))
    with bench.session() as session:
        assert not right(session.run(hostile), hostile, SMALL)


@pytest.mark.alone
@pytest.mark.parametrize("source", [IDLE_AFTER_THE_FIRST, KEPT_BY_ADDRESS], ids=["idle", "by-address"])
def test_a_kernel_that_remembers_is_found_out_while_it_is_timed(
    bench: GradingEnvironment, source: str
) -> None:
    refused(bench, built("remembers.cu", source.encode(), bench.device.arch), LARGE)


@pytest.mark.alone
def test_one_launch_of_a_batch_cannot_do_the_work_of_all(bench: GradingEnvironment) -> None:
    refused(bench, corpus(ALL_COPIES_AT_ONCE, bench.device.arch), SMALL)


def refused(bench: GradingEnvironment, hostile: DeviceModule, case: str) -> None:
    """It is not believed: its answers to what it was timed with are wrong."""
    with bench.session() as session:
        fault = compared(session, bench, on(hostile, case), case).fault
    assert fault is not None
    assert (fault.verdict, "wrong while it was timed" in fault.reason) == (Verdict.WRONG, True)


@pytest.mark.alone
@pytest.mark.parametrize("path", ["B/16-kept-in-cache.cu", "B/17-warmed-cache.cu"])
def test_hints_to_the_cache_gain_nothing(bench: GradingEnvironment, path: str) -> None:
    with bench.session() as session:
        comparison = compared(session, bench, on(corpus(path, bench.device.arch), LARGE), LARGE)
    assert speedup(comparison) < PLAUSIBLE


@pytest.mark.alone
def test_a_batch_cannot_be_guessed_from_where_one_copy_lies(bench: GradingEnvironment) -> None:
    with bench.session() as session:
        comparison = compared(
            session, bench, on(corpus("B/19-all-calls-at-once.cu", bench.device.arch)), SMALL
        )
    assert comparison.fault or speedup(comparison) < PLAUSIBLE
