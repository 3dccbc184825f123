"""Each fault, retry and decision leaves its line, with the ids of the submission."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.config.settings import LimitSettings
from grader.errors import InfrastructureError
from grader.grading import batch as grading
from grader.grading.batch import Batch
from grader.grading.environment import GradingEnvironment
from grader.grading.worker_failures import blame_code, build_fault, proven_in_build, run_fault
from grader.labs.registry import discover
from grader.logs import Event, bound_submission
from grader.model.build import Translation
from grader.model.devices import TESLA_T4
from grader.model.reason import as_written
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.sandbox import gpu_lock
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import CancelledError, LossCause, WorkerLostError
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import RequestKind
from tests.sandbox.fakes import FakeSandbox
from tools.log_lines import log_lines, of_event
from tools.worker_requests import BUILD, HOSTILE_BUILD, MIB, request

Lines = list[dict[str, Any]]

SUICIDE = "import os\nos._exit(3)\n"


@pytest.fixture
def lines() -> Iterator[Lines]:
    with log_lines() as found:
        yield found


def environment(sandbox: Any) -> GradingEnvironment:
    return GradingEnvironment(
        sandbox=sandbox,
        engine=EngineKind.EMULATOR,
        device=TESLA_T4,
        limits=LimitSettings(),
        modelled_counts=False,
    )


def submission(name: str, data: bytes) -> Submission:
    language = Language.NUMBA if name.endswith(".py") else Language.CUDA_C
    files = (SourceFile(name=name, data=data),)
    return Submission(student="ann\nb", lab="row-sum", language=language, files=files, path=name)


def run(sandbox: Any, *submissions: Submission) -> None:
    batch = Batch(discover().labs, environment(sandbox), 1, threading.Event())
    batch.run(submissions, keep=lambda _: None, progress=lambda _: None)


def test_each_retry_and_the_last_failure_leave_a_line(lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "PAUSES", (0.01, 0.02))
    sandbox = FakeSandbox()
    sandbox.fails = InfrastructureError("no room")
    ann = submission("row_sum.cu", b"")
    run(sandbox, ann)
    retries = of_event(lines, Event.GRADING_RETRIED)
    assert [(line["attempt"], line["pause_seconds"], line["error"]) for line in retries] == [
        (1, 0.01, "no room"),
        (2, 0.02, "no room"),
    ]
    (failed,) = of_event(lines, Event.SUBMISSION_NOT_GRADABLE)
    assert (failed["student"], failed["lab"], failed["job"]) == ("ann\nb", "row-sum", 1)
    assert ann.digest.startswith(failed["submission"])
    (graded,) = of_event(lines, Event.SUBMISSION_GRADED)
    assert graded["verdict"] == "not gradable"


def test_a_worker_that_student_code_kills_leaves_lines(lines: Lines) -> None:
    def ask() -> Translation:
        with sandbox.worker(HOSTILE_BUILD) as worker:
            return worker.ask(
                RequestKind.TRANSLATE, request(SUICIDE, "fill.py"), Translation, seconds=60, reply_bytes=MIB
            )

    with ProcessSandbox() as sandbox, bound_submission("ann\nb", "row-sum", "0123456789abcdef"):
        with pytest.raises(WorkerLostError) as lost:
            proven_in_build(ask, blame_code)
        build_fault(lost.value, RequestKind.TRANSLATE)
    losses = of_event(lines, Event.WORKER_LOST)
    assert [line["cause"] for line in losses] == ["died"] * 3
    assert all("exit code 3" in line["error"] and line["student"] == "ann\nb" for line in losses)
    assert [line["attempt"] for line in of_event(lines, Event.REQUEST_RETRIED)] == [1, 2, 3]
    (charged,) = of_event(lines, Event.LOSS_CHARGED)
    assert (charged["request"], charged["verdict"]) == ("translate", "crashed")


def test_a_time_out_is_charged_to_the_submission(lines: Lines) -> None:
    run_fault(WorkerLostError(LossCause.TIMED_OUT, as_written("no answer within 5 s")), RequestKind.RUN)
    (charged,) = of_event(lines, Event.LOSS_CHARGED)
    assert (charged["cause"], charged["verdict"]) == ("timed out", "timed out")


def test_a_build_that_succeeds_after_a_death_left_a_line(lines: Lines) -> None:
    replies: Iterator[WorkerLostError | None] = iter(
        [WorkerLostError(LossCause.DIED, as_written("signal 9")), None]
    )

    def ask() -> str:
        if (loss := next(replies)) is not None:
            raise loss
        return "built"

    assert proven_in_build(ask, lambda _: None) == "built"
    assert [line["attempt"] for line in of_event(lines, Event.REQUEST_RETRIED)] == [1]


def test_a_start_ahead_that_fails_leaves_a_line(lines: Lines) -> None:
    inner = FakeSandbox()
    inner.fails = InfrastructureError("no room")
    with PooledSandbox(inner, 1) as pool:
        pool.prepare(BUILD)
        while inner.attempts == 0:
            time.sleep(0.01)
        inner.fails = None
        pool.worker(BUILD).close()
    assert [line["error"] for line in of_event(lines, Event.WORKER_START_FAILED)] == ["no room"]


def test_a_dead_spare_worker_leaves_a_line(lines: Lines) -> None:
    inner = FakeSandbox()
    with PooledSandbox(inner, 1) as pool:
        pool.prepare(BUILD)
        while not inner.started:
            time.sleep(0.01)
        inner.started[0].alive = False
        pool.worker(BUILD).close()
    assert [line["role"] for line in of_event(lines, Event.WORKER_DISCARDED)] == ["build"]


def test_a_long_wait_for_a_gpu_leaves_one_line(
    lines: Lines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_lock, "LONG_WAIT_SECONDS", 0.05)
    cancelled = threading.Event()
    timer = threading.Timer(0.5, cancelled.set)
    with gpu_lock.locked("GPU-1", threading.Event(), tmp_path):
        timer.start()
        with pytest.raises(CancelledError), gpu_lock.locked("GPU-1", cancelled, tmp_path):
            pass
    (waited,) = of_event(lines, Event.GPU_WAIT_LONG)
    assert waited["gpu"] == "GPU-1"
    assert waited["seconds"] >= 0.05
