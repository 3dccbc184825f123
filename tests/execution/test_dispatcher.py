"""The dispatcher feeds an executor from the queue, and records what comes back exactly once."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.execution.device_health import DeviceHealth
from grader.execution.dispatcher import CLAIM, Dispatcher, Finished
from grader.execution.local import LocalExecutor
from grader.execution.paused import pause, paused_by, resume
from grader.execution.port import ExecutorRequest
from grader.model.needs import ComputeDevice, Needs
from grader.store.job_values import JobEventKind, JobState, Lane
from grader.store.ports import Store
from tests.store.opened import opened
from tools.fake_jobs import FakeHandler, submit
from tools.fake_work import Order
from tools.paths import CHECKOUT


@pytest.fixture
def store(sqlite_url: str) -> Iterator[Store]:
    with opened(sqlite_url) as store:
        yield store


def run(store: Store, request: ExecutorRequest, health: DeviceHealth | None = None) -> list[Finished]:
    """Dispatch until the queue is empty."""
    finished: list[Finished] = []
    deadline = time.monotonic() + 60
    with Dispatcher(store, LocalExecutor(request), FakeHandler(store), health) as dispatcher:
        while store.jobs.list([JobState.WAITING, JobState.RUNNING]):
            assert time.monotonic() < deadline
            finished += dispatcher.step()
    return finished


def log(folder: Path) -> list[list[str]]:
    """The lines of the fake devices' log without their times."""
    return [line.split()[1:] for line in (folder / "log").read_text().splitlines()]


def test_every_job_is_recorded_once(store: Store, request_for: ExecutorRequest, fake_folder: Path) -> None:
    jobs = [submit(store, f"s{number}", Order(seconds=0.02)) for number in range(10)]
    finished = run(store, request_for)
    assert {each.job.id for each in finished} == {job.id for job in jobs}
    assert all(each.score is not None for each in finished)
    assert len(store.scores.history()) == 10
    assert {line[3] for line in log(fake_folder)} == {"GPU-0", "GPU-1"}
    assert store.workers.list() == ()
    assert store.claims.holder(CLAIM) is None


def test_an_urgent_job_is_next(store: Store, request_for: ExecutorRequest, fake_folder: Path) -> None:
    one = replace(request_for, devices=request_for.devices[:1])
    waiting = [submit(store, f"s{n}", Order(seconds=0.2), lane=Lane.CLASS) for n in range(6)]
    with Dispatcher(store, LocalExecutor(one), FakeHandler(store)) as dispatcher:
        while not dispatcher.running:
            dispatcher.step(0.05)
        urgent = submit(store, "urgent", Order())
        while store.jobs.list([JobState.WAITING, JobState.RUNNING]):
            dispatcher.step(0.05)
    started = [int(line[1]) for line in log(fake_folder) if line[0] == "start"]
    assert started.index(urgent.id) <= 1
    assert sorted(started) == sorted([*(job.id for job in waiting), urgent.id])


def test_a_job_that_kills_its_workers_fails_and_others_do_not(
    store: Store, request_for: ExecutorRequest
) -> None:
    poisoned = submit(store, "poisoned", Order(kill=9))
    jobs = [submit(store, f"s{number}", Order(seconds=0.05)) for number in range(4)]
    health = DeviceHealth(aside_seconds=0.2)
    run(store, request_for, health)
    failed = store.jobs.find(poisoned.id)
    assert failed is not None
    assert (failed.state, failed.attempts) == (JobState.FAILED, 3)
    assert "code -9" in failed.why
    assert {score.key.student for score in store.scores.latest_all()} == {job.key.student for job in jobs}


def test_a_job_is_tried_again_with_the_same_seed(store: Store, request_for: ExecutorRequest) -> None:
    job = submit(store, "s", Order(kill=2), seed=2**120)
    run(store, request_for, DeviceHealth(aside_seconds=0.1))
    kinds = [event.kind for event in store.jobs.events(job.id)]
    assert kinds.count(JobEventKind.CLAIMED) == 3
    assert kinds[-1] is JobEventKind.RECORDED


def test_a_broken_device_is_set_aside_and_its_jobs_go_elsewhere(
    store: Store, request_for: ExecutorRequest
) -> None:
    broken = ComputeDevice(id="GPU-9", engine="cuda", model="broken")
    jobs = [submit(store, f"s{number}", Order(seconds=0.1)) for number in range(8)]
    health = DeviceHealth()
    run(store, replace(request_for, devices=(broken, request_for.devices[0])), health)
    assert health.set_aside == {"GPU-9": "the device fell off the bus"}
    assert len(store.scores.latest_all()) == len(jobs)


def test_jobs_run_only_on_the_devices_that_they_need(
    store: Store, request_for: ExecutorRequest, fake_folder: Path
) -> None:
    small = ComputeDevice(id="GPU-5", engine="cuda", model="Fake T4", memory_mib=8192, capability=(7, 5))
    needs = (
        Needs(device="h100"),
        Needs(memory_mib=40000),
        Needs(capability=(8, 0)),
        Needs(engine="cuda", device="T4"),
    )
    jobs = [submit(store, f"s{number}", needs=each) for number, each in enumerate(needs)]
    run(store, replace(request_for, devices=(small, request_for.devices[0])))
    where = {int(line[1]): line[3] for line in log(fake_folder) if line[0] == "start"}
    assert [where[job.id] for job in jobs] == ["GPU-0", "GPU-0", "GPU-0", "GPU-5"]


def test_a_job_that_no_device_can_run_waits(store: Store, request_for: ExecutorRequest) -> None:
    job = submit(store, "s", needs=Needs(device="H200"))
    with Dispatcher(store, LocalExecutor(request_for), FakeHandler(store)) as dispatcher:
        dispatcher.step(0.05)
        assert dispatcher.running == 0
        assert not dispatcher.has_work
        submit(store, "other")
        assert dispatcher.has_work
    assert store.jobs.find(job.id) == job


def test_a_cancelled_job_keeps_no_result(store: Store, request_for: ExecutorRequest) -> None:
    job = submit(store, "s", Order(seconds=0.3))
    with Dispatcher(store, LocalExecutor(request_for), FakeHandler(store)) as dispatcher:
        dispatcher.step(0.05)
        assert store.jobs.cancel(job.id)
        while dispatcher.running:
            assert all(each.score is None for each in dispatcher.step())
    assert store.scores.history() == ()


def test_a_second_dispatcher_is_refused(store: Store, request_for: ExecutorRequest) -> None:
    with Dispatcher(store, LocalExecutor(request_for), FakeHandler(store)):
        store.claims.release(CLAIM, "nobody")
        other = Dispatcher(store, LocalExecutor(request_for), FakeHandler(store))
        other._owner = "another host"  # noqa: SLF001 - this process is the first dispatcher
        with pytest.raises(UserError, match="dispatcher"):
            other.__enter__()


_SERVER = textwrap.dedent("""
    import sys
    from pathlib import Path
    from grader.config.settings import ExecutionSettings
    from grader.execution.dispatcher import Dispatcher
    from grader.execution.local import LocalExecutor
    from grader.execution.port import ExecutorRequest
    from grader.model.needs import ComputeDevice
    from tests.store.opened import opened
    from tools.fake_jobs import FakeHandler, WORK
    url, folder = sys.argv[1:]
    device = ComputeDevice(id="GPU-0", engine="cuda", model="Fake")
    request = ExecutorRequest(
        settings=ExecutionSettings(), work=WORK, folder=Path(folder), devices=[device], slots=lambda _: 1
    )
    with opened(url) as store, Dispatcher(store, LocalExecutor(request), FakeHandler(store)) as dispatcher:
        while True:
            dispatcher.step(0.05)
""")


def test_a_killed_dispatcher_leaves_its_jobs_to_the_next(
    store: Store, sqlite_url: str, request_for: ExecutorRequest, fake_folder: Path, tmp_path: Path
) -> None:
    jobs = [submit(store, f"s{number}", Order(seconds=0.3)) for number in range(4)]
    command = [sys.executable, "-c", _SERVER, sqlite_url, str(tmp_path)]
    with subprocess.Popen(command, cwd=CHECKOUT, env=os.environ) as server:
        deadline = time.monotonic() + 60
        while not store.jobs.list([JobState.RUNNING]):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        server.send_signal(signal.SIGKILL)
    started = time.monotonic()
    run(store, request_for)
    assert time.monotonic() - started < 25  # it did not wait for the lease
    assert len(store.scores.history()) == len(jobs)
    kinds = {event.kind for job in jobs for event in store.jobs.events(job.id)}
    assert JobEventKind.TAKEN_OVER in kinds
    assert not [line for line in log(fake_folder) if line[-1] == "shared"]


def test_a_paused_device_gets_no_job(store: Store, request_for: ExecutorRequest, fake_folder: Path) -> None:
    assert pause(store.claims, "GPU-0", "keller")
    assert not pause(store.claims, "GPU-0", "rao")
    for number in range(6):
        submit(store, f"s{number}", Order(seconds=0.02))
    run(store, request_for)
    assert {line[3] for line in log(fake_folder)} == {"GPU-1"}


def test_work_for_paused_devices_alone_is_no_work(store: Store, request_for: ExecutorRequest) -> None:
    submit(store, "ada", Order(seconds=0.02))
    for device in ("GPU-0", "GPU-1"):
        pause(store.claims, device, "keller")
    with Dispatcher(store, LocalExecutor(request_for), FakeHandler(store)) as dispatcher:
        assert not dispatcher.has_work
        assert resume(store.claims, "GPU-1")
        assert not resume(store.claims, "GPU-1")
        assert paused_by(store.claims, "GPU-0") == "keller"
        deadline = time.monotonic() + 30
        while not dispatcher.step():
            assert time.monotonic() < deadline
