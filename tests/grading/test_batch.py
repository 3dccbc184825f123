"""A machine fault is retried, then recorded as a machine fault, never as the student's zero."""

import threading
from types import SimpleNamespace
from typing import cast

import pytest

from grader.config.settings import LimitSettings
from grader.errors import InfrastructureError, LabError, UserError
from grader.grading import batch as grading
from grader.grading.batch import Batch, Graded
from grader.grading.context import plan_of
from grader.grading.environment import GradingEnvironment
from grader.grading.submission import not_graded
from grader.labs.lab import Lab
from grader.labs.registry import discover
from grader.model.devices import TESLA_T4
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.reason import as_written
from grader.model.report import Report
from grader.model.run import EngineKind, Fault
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


@pytest.mark.parametrize(
    ("error", "retried"),
    [
        (InfrastructureError("full disk"), True),
        (LabError("lab x, case y: KeyError: 'n'"), False),
        (KeyError("a mistake of ours"), False),
    ],
)
def test_one_submission_that_fails_costs_no_other_its_grade(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, error: Exception, *, retried: bool
) -> None:
    asked: list[str] = []

    def failing(_lab: Lab, submission: Submission, *_: object) -> Submission:
        asked.append(submission.student)
        if submission.student == "ann":
            raise error
        return submission

    def wrong(facts: Submission, *_: object, **__: object) -> Report:
        return not_graded(facts, Fault(verdict=Verdict.WRONG, reason=as_written("wrong")), 100.0)

    monkeypatch.setattr(grading, "collect_facts", failing)
    monkeypatch.setattr(grading, "score", wrong)
    done = batch.run([submission("ann"), submission("bob")], keep=lambda _: None, progress=lambda _: None)
    verdicts = {graded.report.student: graded.report for graded in done}
    assert verdicts["bob"].verdict is Verdict.WRONG
    assert verdicts["ann"].verdict is Verdict.NOT_GRADABLE
    assert str(error) in english(verdicts["ann"].reason)
    assert asked.count("ann") == (1 + len(PAUSES) if retried else 1)


def test_what_this_machine_lacks_stops_the_batch(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object) -> Report:
        msg = "no compiler"
        raise UserError(msg)

    monkeypatch.setattr(grading, "collect_facts", lacking)
    with pytest.raises(UserError, match="no compiler"):
        batch.run([submission("ann")], keep=lambda _: None, progress=lambda _: None)


def test_code_of_a_lab_that_fails_is_the_labs_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> LaunchPlan:
        msg = "n"
        raise KeyError(msg)

    lab = discover().get("matmul")
    monkeypatch.setattr(lab, "plan_for", broken)
    module = cast("DeviceModule", SimpleNamespace(kernels=()))
    with pytest.raises(LabError, match="KeyError"):
        plan_of(lab, module, lab.manifest.kernels[0].spec, lab.manifest.cases[0])
