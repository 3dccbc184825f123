"""What operators look at: the queue by lane, faults, and devices, which they can pause."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.course import operations as service
from grader.course.audit import PAGE_SIZE, audit_page
from grader.course.records import Records
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.execution.dispatcher import CLAIM, LEASE_SECONDS
from grader.model.needs import ComputeDevice
from grader.store.job_values import Lane, NewJob, WorkerEntry
from grader.store.rulings import Override
from tests.store.examples import NOON, decision, minutes, submission

CPU = WorkerEntry(name="w1", host="here", device=ComputeDevice(id="cpu", engine="emulator"), since=NOON)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    return open_workspace()


def test_the_queue_is_counted_by_lane(workspace: Workspace) -> None:
    with Records(workspace) as records:
        jobs = records.store.jobs
        jobs.submit(submission("ada"), NewJob(seed=1, lane=Lane.CLASS), minutes(3))
        jobs.submit(submission("bob"), NewJob(seed=1, lane=Lane.CLASS), minutes(1))
        running = jobs.submit(submission("cyd"), NewJob(seed=1), NOON)
        assert jobs.claim("d", [running.needs]) is not None
    found = service.operations(workspace)
    lanes = {each.lane: (each.waiting, each.running, each.oldest) for each in found.lanes}
    assert lanes == {
        Lane.INTERACTIVE: (0, 1, None),
        Lane.STAFF: (0, 0, None),
        Lane.CLASS: (2, 0, minutes(1)),
    }
    assert (found.waiting, found.oldest, found.seen) == (2, minutes(1), None)


def test_lost_jobs_are_listed_until_they_end(workspace: Workspace) -> None:
    with Records(workspace) as records:
        jobs = records.store.jobs
        lost = jobs.submit(submission("ada"), NewJob(seed=1), NOON)
        for _ in range(2):
            claimed = jobs.claim("d", [lost.needs])
            assert claimed is not None
            jobs.lost(lost.id, claimed.attempts, "its host died", -1)
    found = service.operations(workspace)
    assert [(each.id, each.why) for each in found.retried] == [(lost.id, "its host died")]
    assert found.failed == ()
    with Records(workspace) as records:
        claimed = records.store.jobs.claim("d", [lost.needs])
        assert claimed is not None
        records.store.jobs.lost(lost.id, claimed.attempts, "its host died", -1)
    found = service.operations(workspace)
    assert [each.id for each in found.failed] == [lost.id]
    assert found.retried == ()


def test_a_device_is_paused_and_resumed_once(workspace: Workspace) -> None:
    with Records(workspace) as records:
        records.store.workers.replace([CPU])
        records.store.claims.claim(CLAIM, "d", LEASE_SECONDS)
    service.pause(workspace, "cpu", "keller")
    found = service.operations(workspace)
    assert [(each.paused, each.is_idle) for each in found.workers] == [("keller", False)]
    assert found.seen is not None
    assert abs((datetime.now(UTC) - found.seen).total_seconds()) < 10
    with pytest.raises(UserError, match="keller"):
        service.pause(workspace, "cpu", "rao")
    service.resume(workspace, "cpu")
    assert service.operations(workspace).workers[0].is_idle
    with pytest.raises(UserError):
        service.resume(workspace, "cpu")
    with pytest.raises(UserError):
        service.pause(workspace, "no such device", "rao")


def test_the_installation_says_how_much_room_is_left(workspace: Workspace) -> None:
    found = service.installation(workspace)
    assert 0 < found.disk_free <= found.disk_total
    assert (found.database, found.grader > "") == ("sqlite", True)
    on_server = replace(workspace.config.store, url="postgresql+psycopg://grader@/grader")
    other = Workspace(config=replace(workspace.config, store=on_server))
    assert service.installation(other).database == "postgresql"


def test_the_audit_list_has_pages_from_the_newest(workspace: Workspace) -> None:
    with Records(workspace) as records:
        for number in range(PAGE_SIZE + 1):
            records.store.decisions.add(decision(Override(points=number), student=f"s{number % 2}"))
    first, last = audit_page(workspace), audit_page(workspace, 99)
    assert (len(first.entries), first.number, first.pages, first.total) == (PAGE_SIZE, 1, 2, PAGE_SIZE + 1)
    assert (len(last.entries), last.number) == (1, 2)
    assert audit_page(workspace, student="s1").total == PAGE_SIZE // 2
