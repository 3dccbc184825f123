"""A machine fault is retried, then recorded as a machine fault, never as the student's zero."""

import threading

import pytest

from grader.config.settings import LimitSettings
from grader.errors import InfrastructureError
from grader.grading import batch as grading
from grader.grading.batch import Batch, Graded
from grader.grading.environment import GradingEnvironment
from grader.labs.registry import discover
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.port import Worker
from grader.worker.messages import WorkerSettings
from tools.messages import english

PAUSES = (0.01, 0.02)


class BrokenSandbox:
    """A sandbox with workers that never start."""

    name = "broken"

    def __init__(self) -> None:
        self.started = 0

    def worker(self, settings: WorkerSettings) -> Worker:
        self.started += 1
        msg = f"no room for {settings.role} with {settings.limits.processes} processes on {settings.engine}"
        raise InfrastructureError(msg)

    def prepare(self, settings: WorkerSettings) -> None:
        """Nothing is started ahead."""

    def close(self) -> None:
        """Nothing was started."""


def submission(student: str) -> Submission:
    file = SourceFile(name="matmul.cu", data=b"")
    return Submission(
        student=student, lab="matmul", language=Language.CUDA_C, files=(file,), path="matmul.cu"
    )


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "PAUSES", PAUSES)


@pytest.fixture
def sandbox() -> BrokenSandbox:
    return BrokenSandbox()


@pytest.fixture
def batch(sandbox: BrokenSandbox) -> Batch:
    environment = GradingEnvironment(
        sandbox=sandbox,
        engine=EngineKind.EMULATOR,
        device=TESLA_T4,
        limits=LimitSettings(),
        modelled_counts=False,
    )
    return Batch(discover().labs, environment, 2, threading.Event())


def test_a_fault_of_ours_is_tried_again_and_then_not_gradable(batch: Batch, sandbox: BrokenSandbox) -> None:
    (graded,) = batch.run([submission("ann")], keep=lambda _: None, progress=lambda _: None)
    assert sandbox.started == 1 + len(PAUSES)
    assert graded.report.verdict is Verdict.NOT_GRADABLE
    assert "no room" in english(graded.report.reason)
    assert graded.report.max_score == 100


def test_everyone_is_kept_as_soon_as_finished(batch: Batch) -> None:
    kept: list[Graded] = []
    seen: list[tuple[int, int]] = []
    students = [f"student-{i}" for i in range(5)]
    batch.run(
        [submission(student) for student in students],
        keep=kept.append,
        progress=lambda step: seen.append((step.done, len(kept))),
    )
    assert sorted(graded.report.student for graded in kept) == students
    assert all(done == stored for done, stored in seen)


def test_what_keeping_raises_stops_the_batch(batch: Batch) -> None:
    def full(_: Graded) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.run(
            [submission("ann"), submission("bob"), submission("cid")], keep=full, progress=lambda _: None
        )
