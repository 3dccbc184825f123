"""A real GPU inside the sandboxes: kernels run and are timed, and a hostile kernel harms only its own worker."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from grader.config.settings import LimitSettings
from grader.engines.builtin import CUDA
from grader.grading.environment import GradingEnvironment
from grader.grading.session import RunSession
from grader.judge.timed_outputs import output_checks
from grader.model.confidence import EARLY_CHECKPOINT
from grader.model.module import DeviceModule
from grader.model.run import Comparison, EngineKind, LaunchJob
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.builtin import BUBBLEWRAP, DOCKER
from grader.worker.messages import WorkerRole, WorkerSettings
from tests.attacks.sandboxes import opened
from tests.gpu.attack_kernels import (
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
from tests.gpu.session_lock import GpuLock
from tools.rung_kernels import job_on, module, prepared
from tools.worker_requests import LIMITS

pytestmark = pytest.mark.gpu


def test_a_worker_with_a_gpu_sees_no_program_in_bubblewrap(alone: GpuLock) -> None:
    settings = WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA)
    with alone(), opened(BUBBLEWRAP) as sandbox, closing(sandbox.worker(settings)):
        inside = psutil.Process().children(recursive=True)[-1]
        root = Path(f"/proc/{inside.pid}/root")
        programs = [
            path.name
            for folder in ("usr/bin", "usr/sbin", "usr/local/bin")
            if (root / folder).is_dir()
            for path in (root / folder).iterdir()
        ]
        share = root / "usr/share"
        shared = {path.name for path in share.iterdir()} if share.is_dir() else set()
        there = [name for name in ("usr/include", "usr/src", "etc/passwd") if (root / name).exists()]
    assert all(name.startswith("python") for name in programs)
    assert shared <= {"nvidia"}
    assert there == []


@pytest.fixture(scope="module", params=[BUBBLEWRAP, DOCKER])
def environment(request: pytest.FixtureRequest, alone: GpuLock) -> Iterator[GradingEnvironment]:
    with opened(request.param) as sandbox:
        limits = LimitSettings(run_seconds=5.0)
        with alone():
            found = GradingEnvironment.open(
                sandbox, EngineKind.CUDA, "Tesla T4", limits, modelled_counts=False
            )
        yield found


def on(of: DeviceModule, case: str = SMALL) -> LaunchJob:
    return job_on(LAB, of, KERNEL, prepared(LAB, case))


def honest(environment: GradingEnvironment, case: str = SMALL) -> LaunchJob:
    return on(module(LAB, "whole_grid", Language.CUDA_C, environment.device.arch), case)


def compared(session: RunSession, environment: GradingEnvironment, job: LaunchJob, case: str) -> Comparison:
    """Time ``job`` against an honest job of the same kind, under the checks that apply to a student's job."""
    baseline, factor = honest(environment, case), LAB.manifest.tolerance.factor
    checks = output_checks(job.plan, baseline.plan, prepared(LAB, case).expected, factor)
    return session.compare(baseline, job, checks)


@pytest.mark.alone
def test_kernels_run_and_are_timed(environment: GradingEnvironment) -> None:
    job = honest(environment)
    with environment.session() as session:
        assert right(session.run(job), job, SMALL)
        comparison = compared(session, environment, job, SMALL)
    assert comparison.fault is None
    assert not comparison.modelled
    assert len(comparison.pairs) >= EARLY_CHECKPOINT


@pytest.mark.parametrize(
    ("source", "verdict"),
    [(ENDLESS, Verdict.TIMED_OUT), (POISONOUS, Verdict.CRASHED)],
    ids=["endless", "poisonous"],
)
def test_the_next_submission_runs_after_a_lost_gpu_context(
    environment: GradingEnvironment, source: str, verdict: Verdict
) -> None:
    with environment.session() as session:
        lost = session.run(on(built("lethal.cu", source.encode(), environment.device.arch)))
    assert lost.fault is not None
    assert lost.fault.verdict is verdict
    job = honest(environment)
    with environment.session() as session:
        assert right(session.run(job), job, SMALL)


@pytest.mark.parametrize(
    "path", ["C/30-freed-memory.cu", "C/31-an-earlier-students-memory.cu", "D/42-copied-answers.cu"]
)
def test_nothing_of_an_earlier_submission_is_found(environment: GradingEnvironment, path: str) -> None:
    job = honest(environment)
    with environment.session() as session:
        assert right(session.run(job), job, SMALL)
    hostile = on(corpus(path, environment.device.arch))
    with environment.session() as session:
        assert not right(session.run(hostile), hostile, SMALL)


@pytest.mark.alone
@pytest.mark.parametrize("source", [IDLE_AFTER_THE_FIRST, KEPT_BY_ADDRESS], ids=["idle", "by-address"])
def test_a_kernel_that_remembers_is_found_out_while_it_is_timed(
    environment: GradingEnvironment, source: str
) -> None:
    refused(environment, built("remembers.cu", source.encode(), environment.device.arch), LARGE)


@pytest.mark.alone
def test_one_launch_of_a_batch_cannot_do_the_work_of_all(environment: GradingEnvironment) -> None:
    refused(environment, corpus(ALL_COPIES_AT_ONCE, environment.device.arch), SMALL)


def refused(environment: GradingEnvironment, hostile: DeviceModule, case: str) -> None:
    """The comparison is rejected: the outputs for the timed inputs are wrong."""
    with environment.session() as session:
        fault = compared(session, environment, on(hostile, case), case).fault
    assert fault is not None
    assert (fault.verdict, fault.reason.code) == (Verdict.WRONG, "wrong-while-timed")


@pytest.mark.alone
@pytest.mark.parametrize("path", ["B/16-kept-in-cache.cu", "B/17-warmed-cache.cu"])
def test_hints_to_the_cache_gain_nothing(environment: GradingEnvironment, path: str) -> None:
    with environment.session() as session:
        comparison = compared(session, environment, on(corpus(path, environment.device.arch), LARGE), LARGE)
    assert speedup(comparison) < PLAUSIBLE


@pytest.mark.alone
def test_a_batch_cannot_be_guessed_from_where_one_copy_lies(environment: GradingEnvironment) -> None:
    with environment.session() as session:
        comparison = compared(
            session, environment, on(corpus("B/19-all-calls-at-once.cu", environment.device.arch)), SMALL
        )
    assert comparison.fault or speedup(comparison) < PLAUSIBLE
