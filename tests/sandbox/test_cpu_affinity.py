"""Cores are divided evenly among workers, and a worker in bubblewrap cannot leave its cores."""

import os

import psutil
import pytest

from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.cpu_affinity import CpuAllocator
from tests.sandbox.bubblewrap_needed import needs_bubblewrap
from tests.sandbox.isolation import probe_output
from tools.hostile.sandboxes import hostile_bubblewrap
from tools.worker_requests import BUILD


@pytest.fixture
def four_cores(monkeypatch: pytest.MonkeyPatch) -> CpuAllocator:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 4, 5})
    return CpuAllocator()


def test_workers_get_different_cores_while_there_are_any(four_cores: CpuAllocator) -> None:
    taken = [four_cores.allocate(1) for _ in range(4)]
    assert frozenset().union(*taken) == {0, 1, 4, 5}


def test_a_released_core_is_assigned_again(four_cores: CpuAllocator) -> None:
    first, *_ = [four_cores.allocate(1) for _ in range(4)]
    four_cores.release(first)
    assert four_cores.allocate(1) == first


def test_core_counts_are_rounded_up_and_bounded(four_cores: CpuAllocator) -> None:
    assert len(four_cores.allocate(1.5)) == 2
    assert len(four_cores.allocate(64)) == 4


@needs_bubblewrap
def test_a_working_worker_cannot_leave_its_core() -> None:
    with hostile_bubblewrap() as sandbox:
        found = probe_output(
            sandbox,
            """
            seen['cores'] = len(os.sched_getaffinity(0))
            seen['leaving'] = outcome(lambda: os.sched_setaffinity(0, range(os.cpu_count())))
            if os.fork() == 0:
                os._exit(len(os.sched_getaffinity(0)))
            seen['of its child'] = os.waitstatus_to_exitcode(os.wait()[1])
            """,
        )
    assert found == {"cores": 1, "leaving": "EPERM", "of its child": 1}


@needs_bubblewrap
def test_an_idle_worker_takes_no_core() -> None:
    with BubblewrapSandbox() as sandbox, sandbox.worker(BUILD) as worker:
        tree = [psutil.Process(worker.pid), *psutil.Process(worker.pid).children(recursive=True)]
        assert {frozenset(process.cpu_affinity()) for process in tree} == {frozenset(os.sched_getaffinity(0))}
