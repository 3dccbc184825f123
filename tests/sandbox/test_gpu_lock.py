"""A GPU is one worker's at a time, among threads and among processes, and free again when its holder dies."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from grader.errors import InfrastructureError
from grader.model.run import EngineKind
from grader.sandbox import gpu_lock
from grader.sandbox.gpu_lock import WORKERS_PER_GPU, GpuLockingSandbox, locked
from grader.sandbox.port import CancelledError
from grader.worker.messages import WorkerRole, WorkerSettings
from tests.sandbox.fakes import FakeSandbox, FakeWorker
from tools.worker_requests import BUILD, LIMITS

T = TypeVar("T")

GPU = "GPU-of-a-test"
ON_A_GPU = WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=EngineKind.CUDA)

HOLDER = f"""
import sys, threading, time
from pathlib import Path
from grader.sandbox.gpu_lock import locked
with locked({GPU!r}, threading.Event(), Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def is_free(folder: Path) -> bool:
    """Whether the lease can be had at once."""
    cancelled = threading.Event()
    cancelled.set()
    try:
        with locked(GPU, cancelled, folder):
            return True
    except CancelledError:
        return False


def test_it_is_one_threads_at_a_time(tmp_path: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def holder(number: int) -> None:
        with locked(GPU, threading.Event(), tmp_path):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.02)
            inside.remove(number)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(holder, range(4)))
    assert most == [1, 1, 1, 1]


def test_it_is_one_processs_at_a_time_and_free_again_when_that_one_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert not is_free(tmp_path)
        process.kill()
    assert is_free(tmp_path)


def test_two_gpus_are_two_leases(tmp_path: Path) -> None:
    with locked("GPU-another", threading.Event(), tmp_path):
        assert is_free(tmp_path)


def test_whoever_waits_can_be_told_to_stop(tmp_path: Path) -> None:
    cancelled = threading.Event()
    threading.Timer(0.1, cancelled.set).start()
    with (
        locked(GPU, threading.Event(), tmp_path),
        pytest.raises(CancelledError),
        locked(GPU, cancelled, tmp_path),
    ):
        pass


@pytest.mark.parametrize("trap", ["link", "pipe"])
def test_what_somebody_put_in_the_locks_place_is_refused_in_one_line(tmp_path: Path, trap: str) -> None:
    path = tmp_path / f"grader-{GPU}.lock"
    if trap == "link":
        path.symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(path)
    with (
        pytest.raises(InfrastructureError, match="lock of a GPU"),
        locked(GPU, threading.Event(), tmp_path),
    ):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.fixture
def inner(monkeypatch: pytest.MonkeyPatch) -> FakeSandbox:
    monkeypatch.setattr(gpu_lock, "chosen_uuid", lambda: GPU)
    return FakeSandbox()


def test_a_worker_has_its_gpu_while_it_starts_in_its_turns_and_while_it_ends(
    inner: FakeSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free: list[bool] = []

    def noting(method: Callable[..., T]) -> Callable[..., T]:
        def noted(*given: object) -> T:
            free.append(is_free(tmp_path))
            return method(*given)

        return noted

    monkeypatch.setattr(inner, "worker", noting(inner.worker))
    worker = GpuLockingSandbox(inner, folder=tmp_path).worker(ON_A_GPU)
    assert free == [False]
    assert is_free(tmp_path)
    with worker.exclusive_gpu():
        assert not is_free(tmp_path)
    assert is_free(tmp_path)
    monkeypatch.setattr(FakeWorker, "close", noting(FakeWorker.close))
    worker.close()
    assert free[:2] == [False, False]
    assert inner.started[0].closed
    assert is_free(tmp_path)


def test_two_workers_take_turns(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    one, other = sandbox.worker(ON_A_GPU), sandbox.worker(ON_A_GPU)
    order: list[str] = []

    def wait_for_it() -> None:
        with other.exclusive_gpu():
            order.append("other")

    with one, other, ThreadPoolExecutor(1) as thread:
        with one.exclusive_gpu():
            waiting = thread.submit(wait_for_it)
            time.sleep(0.1)
            order.append("one")
        waiting.result()
    assert order == ["one", "other"]


def test_a_worker_ends_although_somebody_else_has_the_gpu_where_all_is_to_stop(
    inner: FakeSandbox, tmp_path: Path
) -> None:
    cancelled = threading.Event()
    worker = GpuLockingSandbox(inner, cancelled, tmp_path).worker(ON_A_GPU)
    with locked(GPU, threading.Event(), tmp_path):
        cancelled.set()
        worker.close()
    assert inner.started[0].closed


def test_a_grader_has_two_workers_on_a_gpu_and_the_third_waits_for_a_place(
    inner: FakeSandbox, tmp_path: Path
) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    one, other = sandbox.worker(ON_A_GPU), sandbox.worker(ON_A_GPU)
    with other, ThreadPoolExecutor(1) as thread:
        third = thread.submit(sandbox.worker, ON_A_GPU)
        time.sleep(0.1)
        assert len(inner.started) == WORKERS_PER_GPU
        one.close()
        third.result().close()
    assert all(worker.closed for worker in inner.started)


def test_whoever_waits_for_a_place_can_be_told_to_stop(inner: FakeSandbox, tmp_path: Path) -> None:
    cancelled = threading.Event()
    sandbox = GpuLockingSandbox(inner, cancelled, tmp_path)
    with sandbox.worker(ON_A_GPU), sandbox.worker(ON_A_GPU):
        threading.Timer(0.1, cancelled.set).start()
        with pytest.raises(CancelledError):
            sandbox.worker(ON_A_GPU)


def test_a_place_is_free_again_when_its_worker_did_not_start(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    inner.fails = InfrastructureError("no room")
    for _ in range(WORKERS_PER_GPU):
        with pytest.raises(InfrastructureError, match="no room"):
            sandbox.worker(ON_A_GPU)
    inner.fails = None
    sandbox.worker(ON_A_GPU).close()


def test_a_gpu_is_free_again_when_its_worker_did_not_start(inner: FakeSandbox, tmp_path: Path) -> None:
    inner.fails = InfrastructureError("no room")
    with pytest.raises(InfrastructureError, match="no room"):
        GpuLockingSandbox(inner, folder=tmp_path).worker(ON_A_GPU)
    assert is_free(tmp_path)


def test_workers_without_a_gpu_wait_for_nobody(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    with sandbox.worker(ON_A_GPU), sandbox.worker(BUILD), sandbox.worker(BUILD):
        assert len(inner.started) == 3


def test_where_the_driver_lists_no_gpu_there_is_one_lease_for_all(
    inner: FakeSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_lock, "chosen_uuid", str)
    with GpuLockingSandbox(inner, folder=tmp_path).worker(ON_A_GPU):
        assert [path.name for path in tmp_path.iterdir()] == ["grader-unlisted.lock"]
