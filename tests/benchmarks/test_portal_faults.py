"""What the runs of faults count would show a lost, doubled, twice graded or stuck submission."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.portal_fault_run import Invariants
from grader.course.workspace import Workspace
from grader.model.needs import Needs
from grader.store.job_values import JobRecord
from grader.store.ports import Store
from tests.course.small_course import WRONG, send, small_course
from tools.fake_jobs import FakeHandler

LAB = "scale"
GOOD = Invariants(lost=0, doubled=0, graded_twice=0, stuck=0)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.chdir(tmp_path)
    made = small_course(tmp_path, f"sqlite:///{tmp_path}/store.sqlite").sharing_store()
    yield made
    made.close()


@pytest.fixture
def store(workspace: Workspace) -> Store:
    assert workspace.store is not None
    return workspace.store


def graded(store: Store) -> JobRecord:
    """Grade the next job; the record was stored."""
    job = store.jobs.claim("d", [*store.jobs.waiting_needs(), Needs()])
    assert job is not None
    record = FakeHandler(store).record_of(job, "device", 1.0)
    assert store.jobs.record(job.id, job.attempts, record, datetime.now(UTC)) is not None
    return record


def test_a_graded_submission_breaks_nothing(workspace: Workspace, store: Store) -> None:
    accepted = {"ada": send(workspace).attempt}
    graded(store)
    assert Invariants.of(store, LAB, accepted) == GOOD


def test_a_submission_that_waits_is_stuck(workspace: Workspace, store: Store) -> None:
    accepted = {"ada": send(workspace).attempt}
    assert Invariants.of(store, LAB, accepted).stuck == 1
    store.jobs.cancel(store.jobs.list()[0].id)
    assert Invariants.of(store, LAB, accepted).stuck == 1


def test_an_accepted_attempt_that_is_not_there_is_lost(workspace: Workspace, store: Store) -> None:
    accepted = {"ada": send(workspace).attempt}
    graded(store)
    assert Invariants.of(store, LAB, {**accepted, "bob": 99}).lost == 1


def test_two_attempts_of_one_student_are_doubled(workspace: Workspace, store: Store) -> None:
    send(workspace)
    graded(store)
    accepted = {"ada": send(workspace, WRONG).attempt}
    graded(store)
    found = Invariants.of(store, LAB, accepted)
    assert (found.doubled, found.graded_twice, found.stuck) == (1, 0, 0)


def test_two_scores_of_one_submission_are_graded_twice(workspace: Workspace, store: Store) -> None:
    accepted = {"ada": send(workspace).attempt}
    store.scores.put(graded(store).score, datetime.now(UTC))
    assert Invariants.of(store, LAB, accepted).graded_twice == 1
