"""The pool lends each worker once, starts the next one in advance, and reports every failed start."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from grader.engines.builtin import CUDA, EMULATOR
from grader.errors import InfrastructureError
from grader.languages import reference
from grader.model.devices import H200, TESLA_T4
from grader.model.submission import Language
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.port import CancelledError
from grader.worker.messages import WorkerLimits, WorkerRole, WorkerSettings
from tests.sandbox.fakes import FakeSandbox, FakeWorker, lent
from tools.worker_requests import BUILD, LIMITS

T = TypeVar("T")

TIGHTER = WorkerLimits(memory_bytes=2**30, processes=8, open_files=64, file_bytes=2**20)


@pytest.fixture
def inner() -> FakeSandbox:
    return FakeSandbox()


def build_worker(pool: PooledSandbox, limits: WorkerLimits = LIMITS) -> FakeWorker:
    return lent(pool.worker(replace(BUILD, limits=limits)))


def soon(happens: Callable[[], bool]) -> bool:
    """Wait until the condition holds, for as long as a busy machine may need."""
    end = time.monotonic() + 600
    while not happens() and time.monotonic() < end:
        time.sleep(0.005)
    return happens()


def test_the_second_request_gets_a_ready_worker(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        build_worker(pool)
        assert soon(lambda: len(inner.started) == 2)
        inner.gate.clear()
        assert build_worker(pool) is inner.started[1]
        inner.gate.set()


def test_as_many_workers_wait_as_configured(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 3) as pool:
        build_worker(pool)
        assert soon(lambda: len(inner.started) == 4)
        time.sleep(0.05)
        assert len(inner.started) == 4


def test_no_worker_is_used_twice_under_concurrency(inner: FakeSandbox) -> None:
    handed: list[FakeWorker] = []
    with PooledSandbox(inner, 3) as pool:
        askers = [
            threading.Thread(target=lambda: handed.extend(build_worker(pool) for _ in range(25)))
            for _ in range(8)
        ]
        for asker in askers:
            asker.start()
        for asker in askers:
            asker.join(20)
    assert len({worker.number for worker in handed}) == len(handed) == 200


def test_workers_with_other_limits_are_kept_apart(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 2) as pool:
        for _ in range(5):
            assert build_worker(pool, TIGHTER).asked_for == replace(BUILD, limits=TIGHTER)
            assert build_worker(pool, LIMITS).asked_for == BUILD
            emulator = WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=EMULATOR, device=TESLA_T4)
            assert lent(pool.worker(emulator)).asked_for == emulator


def test_kinds_no_longer_requested_are_dropped(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        for number in range(20):
            build_worker(pool, replace(LIMITS, memory_bytes=(number + 1) * 2**30))
            assert soon(lambda: len(inner.started) == 2 * (number + 1))  # noqa: B023 - called immediately
        waiting = [worker for worker in inner.started[1::2] if not worker.closed]
    assert waiting == inner.started[-11::2]


def test_a_worker_that_died_while_waiting_is_skipped(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 2) as pool:
        build_worker(pool)
        assert soon(lambda: len(inner.started) == 3)
        inner.started[1].alive = False
        assert build_worker(pool) is inner.started[2]
        assert soon(lambda: inner.started[1].closed)


def test_a_failed_start_is_reported_to_the_caller(inner: FakeSandbox) -> None:
    inner.fails = InfrastructureError("the engine is gone")
    with PooledSandbox(inner, 2) as pool, pytest.raises(InfrastructureError, match="the engine is gone"):
        build_worker(pool)


def test_a_past_background_failure_is_not_reported(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        inner.gate.clear()
        first = threading.Timer(0.05, inner.gate.set)
        first.start()
        build_worker(pool)
        first.join()
        assert soon(lambda: len(inner.started) == 2)
        inner.fails = InfrastructureError("the engine is gone")
        build_worker(pool)
        assert soon(lambda: inner.attempts == 3)
        inner.fails = None
        assert build_worker(pool).number == 2


def test_asking_stops_when_the_run_is_cancelled(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        build_worker(pool)
        inner.fails = CancelledError()
        build_worker(pool)
        with pytest.raises(CancelledError):
            build_worker(pool)


def test_a_worker_on_a_gpu_is_not_started_ahead(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 2) as pool:
        pool.worker(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA))
        time.sleep(0.05)
        assert len(inner.started) == 1


def test_a_prepared_worker_is_used_by_the_request(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 2) as pool:
        pool.prepare(WorkerSettings(role=WorkerRole.ASSEMBLE, limits=LIMITS))
        assert soon(lambda: len(inner.started) == 1)
        inner.gate.clear()
        assert lent(pool.worker(WorkerSettings(role=WorkerRole.ASSEMBLE, limits=LIMITS))) is inner.started[0]
        inner.gate.set()


def test_workers_of_different_languages_are_kept_apart(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        for _ in range(3):
            for language in Language:
                worker = lent(
                    pool.worker(
                        WorkerSettings(role=WorkerRole.BUILD, limits=LIMITS, languages=(reference(language),))
                    )
                )
                assert worker.asked_for.languages == (reference(language),)


def test_repeated_prepare_starts_one_worker(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 0) as pool:
        for _ in range(5):
            pool.prepare(BUILD)
        assert soon(lambda: len(inner.started) == 1)
        assert build_worker(pool) is inner.started[0]
        time.sleep(0.05)
        assert len(inner.started) == 1


def test_prepared_workers_of_two_kinds_start_in_parallel(inner: FakeSandbox) -> None:
    inner.gate.clear()
    with PooledSandbox(inner, 1) as pool:
        pool.prepare(WorkerSettings(role=WorkerRole.ASSEMBLE, limits=LIMITS))
        pool.prepare(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=EMULATOR, device=TESLA_T4))
        assert soon(lambda: inner.at_it == 2)
        inner.gate.set()


def test_a_request_does_not_queue_behind_other_starts(inner: FakeSandbox) -> None:
    """Both threads are busy and the announced start has not begun, so the requesting thread starts the worker."""
    inner.slow = {WorkerRole.RUN}
    inner.gate.clear()
    with PooledSandbox(inner, 1) as pool:
        for device in (TESLA_T4, H200):
            pool.prepare(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=EMULATOR, device=device))
        assert soon(lambda: inner.at_it == 2)
        pool.prepare(BUILD)
        assert build_worker(pool).number == 0
        inner.gate.set()


def test_a_failed_prepare_is_reported_by_the_request_only(inner: FakeSandbox) -> None:
    inner.fails = InfrastructureError("the engine is gone")
    with PooledSandbox(inner, 1) as pool:
        pool.prepare(BUILD)
        assert soon(lambda: inner.attempts == 1)
        with pytest.raises(InfrastructureError, match="the engine is gone"):
            build_worker(pool)


def test_a_prepared_worker_on_a_gpu_is_not_started_ahead(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 2) as pool:
        pool.prepare(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA))
        time.sleep(0.05)
        assert not inner.started


def test_unused_prepared_workers_end_with_the_pool(inner: FakeSandbox) -> None:
    inner.gate.clear()
    pool = PooledSandbox(inner, 1)
    for role in WorkerRole:
        pool.prepare(WorkerSettings(role=role, limits=LIMITS, engine=EMULATOR))
    assert soon(lambda: inner.at_it == 2)
    threading.Timer(0.1, inner.gate.set).start()
    pool.close()
    assert len(inner.started) == 2
    assert all(worker.closed for worker in inner.started)


def test_a_closed_pool_starts_nothing(inner: FakeSandbox) -> None:
    pool = PooledSandbox(inner, 1)
    pool.close()
    pool.prepare(BUILD)
    assert not inner.attempts


def test_closing_a_worker_does_not_wait_for_its_end(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        with pool.worker(BUILD) as worker:
            taken = lent(worker)
            taken.may_end.clear()
        assert not worker.is_fresh()
        assert not taken.closed
        taken.may_end.set()
        assert soon(lambda: taken.closed)


def test_workers_end_before_the_inner_sandbox_closes(inner: FakeSandbox) -> None:
    pool = PooledSandbox(inner, 0)
    with pool.worker(BUILD) as worker:
        taken = lent(worker)
        taken.may_end.clear()
    threading.Timer(0.1, taken.may_end.set).start()
    pool.close()
    assert taken.closed


def test_a_worker_closed_after_its_pool_ends_at_once(inner: FakeSandbox) -> None:
    pool = PooledSandbox(inner, 0)
    worker = pool.worker(BUILD)
    pool.close()
    worker.close()
    assert lent(inner.started[0]).closed


def test_a_worker_on_a_gpu_has_ended_when_it_was_closed(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        pool.worker(WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA)).close()
        assert inner.started[0].closed


def test_closing_ends_waiting_workers_and_the_inner_sandbox(inner: FakeSandbox) -> None:
    pool = PooledSandbox(inner, 3)
    taken = build_worker(pool)
    pool.close()
    assert inner.closed
    assert all(worker.closed for worker in inner.started if worker is not taken)
    assert not any(thread.is_alive() for thread in inner.threads if thread is not threading.current_thread())


def test_a_start_under_way_is_closed_too(inner: FakeSandbox) -> None:
    pool = PooledSandbox(inner, 1)
    build_worker(pool)
    assert soon(lambda: len(inner.started) == 2)
    inner.gate.clear()
    build_worker(pool)
    threading.Timer(0.1, inner.gate.set).start()
    pool.close()
    assert all(worker.closed for worker in inner.started[2:])
    assert inner.closed


def test_the_threads_that_start_workers_last_as_long_as_the_pool(inner: FakeSandbox) -> None:
    """A process that dies with its parent is killed when the thread that started it ends."""
    with PooledSandbox(inner, 2) as pool:
        for _ in range(6):
            build_worker(pool)
        assert all(thread.is_alive() for thread in inner.threads)


def test_the_pool_has_the_inner_sandboxs_name(inner: FakeSandbox) -> None:
    with PooledSandbox(inner, 1) as pool:
        assert pool.name == "fake"
