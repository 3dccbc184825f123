"""A person who waits for an attempt sees where it is, and infrastructure faults as what they are."""

from pathlib import Path

import pytest

from grader.course.dispatch import DispatchRequest, dispatch
from grader.course.live_state import LiveState, Phase, live_state, live_states
from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.withdraw import withdraw
from grader.course.workspace import Workspace
from grader.messages import render
from grader.model.needs import ComputeDevice, Needs
from grader.model.stage import Stage
from grader.store.job_values import MAX_ATTEMPTS, Job, JobEventKind, WorkerEntry
from tests.course.small_course import RIGHT, WRONG, send, small_course, write_rules
from tests.store.examples import NOON


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, url)


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return small_course(tmp_path, sqlite_url)


def state(records: Records, attempt: int) -> LiveState:
    found = live_state(records, attempt)
    assert found is not None
    return found


def claim(records: Records) -> Job:
    job = records.store.jobs.claim("d", [*records.store.jobs.waiting_needs(), Needs()])
    assert job is not None
    return job


def test_the_places_of_many_are_known_at_once(workspace: Workspace) -> None:
    made = [send(workspace, student=f"s{number}").attempt for number in range(3)]
    with Records(workspace) as records:
        assert live_state(records, made[-1] + 1) is None
        found = live_states(records, made)
        assert [found[attempt].ahead for attempt in made] == [0, 1, 2]
        assert [note.code for note in found[made[0]].notes] == ["live-no-worker"]
        device = ComputeDevice(id="cpu", engine="emulator")
        records.store.workers.replace([WorkerEntry(name="a", host="h", device=device, since=NOON)])
        assert state(records, made[0]).notes == ()


def test_each_stage_is_another_state(workspace: Workspace) -> None:
    attempt = send(workspace).attempt
    with Records(workspace) as records:
        seen = [state(records, attempt)]
        job = claim(records)
        seen.append(state(records, attempt))
        for stage in Stage:
            records.store.jobs.entered(job.id, job.attempts, stage)
            seen.append(state(records, attempt))
    phases = [each.phase for each in seen]
    assert phases == [Phase.WAITING, Phase.RUNNING, Phase.COMPILING, Phase.CHECKING, Phase.TIMING]
    assert not any(phase.is_final for phase in phases)
    assert len({each.version for each in seen}) == len(seen)
    assert all(render(each.said, language) for each in seen for language in ("en", "ru", "zh"))


def test_a_lost_machine_is_said_and_takes_no_attempt(workspace: Workspace) -> None:
    write_rules('attempts = "1"')
    attempt = send(workspace).attempt
    with Records(workspace) as records:
        for _ in range(MAX_ATTEMPTS):
            job = claim(records)
            records.store.jobs.lost(job.id, job.attempts, "it died", 0)
            if job.attempts == 1:
                assert "live-machine-failed" in {note.code for note in state(records, attempt).notes}
        assert state(records, attempt).phase is Phase.FAILED
    assert send(workspace, WRONG).is_new


def test_a_newer_attempt_takes_the_place_of_one_that_waits(local: Workspace) -> None:
    first, second = send(local).attempt, send(local, WRONG).attempt
    with Records(local) as records:
        assert state(records, first).phase is Phase.SUPERSEDED
        assert state(records, second).phase is Phase.WAITING


def test_an_attempt_that_waits_can_be_withdrawn(local: Workspace) -> None:
    write_rules('attempts = "1"')
    attempt = send(local).attempt
    withdraw(local, attempt)
    with Records(local) as records:
        assert state(records, attempt).phase is Phase.WITHDRAWN
    assert send(local, WRONG).is_new
    with Records(local) as records:
        claim(records)
    with pytest.raises(RefusedError):
        withdraw(local, attempt + 1)


def test_workers_say_which_stage_they_enter(local: Workspace) -> None:
    made = send(local, RIGHT)
    assert dispatch(local, DispatchRequest(until_empty=True), lambda _: None).recorded == 1
    with Records(local) as records:
        events = records.store.jobs.events(made.job)
        assert [each.detail for each in events if each.kind is JobEventKind.STAGE] == list(Stage)
        assert state(records, made.attempt).phase is Phase.DONE
