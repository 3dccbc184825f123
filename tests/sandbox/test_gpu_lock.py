"""One worker at a time holds a GPU, across threads and processes; the lock is released when its holder dies."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.engines.builtin import CUDA
from grader.errors import InfrastructureError
from grader.sandbox import gpu_lock
from grader.sandbox.gpu_lock import FEWEST_WORKERS, MOST_WORKERS, GpuLockingSandbox, locked, workers_on
from grader.sandbox.port import CancelledError
from grader.worker.messages import WorkerRole, WorkerSettings
from tests.sandbox.fakes import FakeSandbox
from tools.worker_requests import BUILD, LIMITS

GPU = "GPU-of-a-test"
ON_A_GPU = WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA)

HOLDER = f"""
import sys, threading, time
from pathlib import Path
from grader.sandbox.gpu_lock import locked
with locked({GPU!r}, threading.Event(), Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def is_free(folder: Path) -> bool:
    """Whether the lock can be taken immediately."""
    cancelled = threading.Event()
    cancelled.set()
    try:
        with locked(GPU, cancelled, folder):
            return True
    except CancelledError:
        return False


def test_one_thread_at_a_time_holds_the_lock(tmp_path: Path) -> None:
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


def test_the_next_thread_gets_the_lock_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_lock, "_PAUSE_SECONDS", 60.0)
    started = threading.Event()

    def wait_for_it() -> None:
        started.set()
        with locked(GPU, threading.Event(), tmp_path):
            pass

    with ThreadPoolExecutor(1) as thread:
        with locked(GPU, threading.Event(), tmp_path):
            waiting = thread.submit(wait_for_it)
            started.wait()
            time.sleep(0.05)
            assert not waiting.done()
        waiting.result(timeout=10)


def test_killing_its_holder_process_frees_the_lock(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert not is_free(tmp_path)
        process.kill()
    assert is_free(tmp_path)


def test_two_gpus_have_separate_locks(tmp_path: Path) -> None:
    with locked("GPU-another", threading.Event(), tmp_path):
        assert is_free(tmp_path)


def test_waiting_for_the_lock_can_be_cancelled(tmp_path: Path) -> None:
    cancelled = threading.Event()
    threading.Timer(0.1, cancelled.set).start()
    with (
        locked(GPU, threading.Event(), tmp_path),
        pytest.raises(CancelledError),
        locked(GPU, cancelled, tmp_path),
    ):
        pass


@pytest.mark.parametrize("trap", ["link", "pipe"])
def test_a_lock_path_that_is_no_regular_file_is_refused(tmp_path: Path, trap: str) -> None:
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


def test_a_worker_holds_its_gpu_during_requests_only(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    with locked(GPU, threading.Event(), tmp_path):
        worker = sandbox.worker(ON_A_GPU)
        sandbox.worker(ON_A_GPU).close()
    assert [worker.closed for worker in inner.started] == [False, True]
    with worker.exclusive_gpu():
        assert not is_free(tmp_path)
    assert is_free(tmp_path)
    worker.close()
    assert inner.started[0].closed


def test_two_workers_exclude_each_other(inner: FakeSandbox, tmp_path: Path) -> None:
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


def test_a_third_worker_on_a_gpu_waits_for_a_slot(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    one, other = sandbox.worker(ON_A_GPU), sandbox.worker(ON_A_GPU)
    with other, ThreadPoolExecutor(1) as thread:
        third = thread.submit(sandbox.worker, ON_A_GPU)
        time.sleep(0.1)
        assert len(inner.started) == FEWEST_WORKERS
        one.close()
        third.result().close()
    assert all(worker.closed for worker in inner.started)


def test_one_worker_at_a_time_where_the_settings_say_so(inner: FakeSandbox, tmp_path: Path) -> None:
    cancelled = threading.Event()
    sandbox = GpuLockingSandbox(inner, cancelled, tmp_path, workers=1)
    with sandbox.worker(ON_A_GPU):
        cancelled.set()
        with pytest.raises(CancelledError):
            sandbox.worker(ON_A_GPU)


@pytest.mark.parametrize(
    ("gib", "workers"), [(None, FEWEST_WORKERS), (6, FEWEST_WORKERS), (16, 4), (141, MOST_WORKERS)]
)
def test_a_gpu_with_more_memory_has_more_workers(
    monkeypatch: pytest.MonkeyPatch, gib: int | None, workers: int
) -> None:
    monkeypatch.setattr(gpu_lock, "gpu_memory_bytes", lambda _: gib and gib * 2**30)
    assert workers_on(GPU) == workers


def test_waiting_for_a_slot_can_be_cancelled(inner: FakeSandbox, tmp_path: Path) -> None:
    cancelled = threading.Event()
    sandbox = GpuLockingSandbox(inner, cancelled, tmp_path)
    with sandbox.worker(ON_A_GPU), sandbox.worker(ON_A_GPU):
        threading.Timer(0.1, cancelled.set).start()
        with pytest.raises(CancelledError):
            sandbox.worker(ON_A_GPU)


def test_a_failed_start_frees_the_slot(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    inner.fails = InfrastructureError("no room")
    for _ in range(FEWEST_WORKERS):
        with pytest.raises(InfrastructureError, match="no room"):
            sandbox.worker(ON_A_GPU)
    inner.fails = None
    sandbox.worker(ON_A_GPU).close()


def test_workers_without_a_gpu_never_wait(inner: FakeSandbox, tmp_path: Path) -> None:
    sandbox = GpuLockingSandbox(inner, folder=tmp_path)
    with sandbox.worker(ON_A_GPU), sandbox.worker(BUILD), sandbox.worker(BUILD):
        assert len(inner.started) == 3


def test_without_listed_gpus_all_workers_share_one_lock(
    inner: FakeSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu_lock, "chosen_uuid", str)
    with GpuLockingSandbox(inner, folder=tmp_path).worker(ON_A_GPU) as worker, worker.exclusive_gpu():
        assert [path.name for path in tmp_path.iterdir()] == ["grader-unlisted.lock"]
