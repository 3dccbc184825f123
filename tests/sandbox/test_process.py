"""The process sandbox keeps the contract, and its workers do not outlive the grader."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from grader.engines.builtin import CUDA
from grader.errors import InfrastructureError
from grader.sandbox import process
from grader.sandbox.gpu import VISIBLE_VARIABLE
from grader.sandbox.port import CancelledError, Sandbox
from grader.sandbox.process import ProcessSandbox
from grader.sandbox.process_tree import ProcessTree
from grader.worker.messages import WorkerRole, WorkerSettings
from tests.sandbox.contract import SandboxContract
from tools.worker_requests import BUILD, LIMITS

GRADER_THAT_WAITS = """
import time
from grader.sandbox.process import ProcessSandbox
from tools.worker_requests import BUILD
with ProcessSandbox().worker(BUILD) as worker:
    print(worker.pid, flush=True)
    time.sleep(60)
"""


class TestProcessSandbox(SandboxContract):
    """The contract for the process sandbox."""

    @pytest.fixture(scope="class")
    @classmethod
    def sandbox(cls) -> Iterator[Sandbox]:
        with ProcessSandbox() as sandbox:
            yield sandbox


def test_a_worker_dies_with_a_grader_that_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", GRADER_THAT_WAITS], stdout=subprocess.PIPE, text=True
    ) as grader:
        assert grader.stdout is not None
        worker = psutil.Process(int(grader.stdout.readline()))
        assert worker.is_running()
        grader.kill()
    gone, _ = psutil.wait_procs([worker], timeout=600)
    assert gone


def test_cancelling_ends_a_request_at_once() -> None:
    cancelled = threading.Event()
    threading.Timer(3.0, cancelled.set).start()
    with ProcessSandbox(cancelled) as sandbox, pytest.raises(CancelledError):
        SandboxContract().build(sandbox, "import time\ntime.sleep(300)\n", "fill.py")


def test_leaving_the_context_ends_the_worker() -> None:
    others = psutil.Process().children(recursive=True)
    with ProcessSandbox() as sandbox:
        with sandbox.worker(BUILD) as worker:
            worker_process = psutil.Process(worker.pid)
            assert worker_process.is_running()
        assert not worker_process.is_running()
        children = [child for child in psutil.Process().children(recursive=True) if child not in others]
    psutil.wait_procs(children, timeout=600)
    assert children
    assert not [child for child in children if child.is_running()]


def test_a_worker_that_ended_while_nobody_asked_it_is_not_fresh() -> None:
    with ProcessSandbox() as sandbox, sandbox.worker(BUILD) as worker:
        assert worker.is_fresh()
        psutil.Process(worker.pid).kill()
        time.sleep(0.3)
        assert not worker.is_fresh()


@pytest.mark.parametrize(("leased", "given"), [("GPU-bb", "GPU-bb"), ("", "1")])
def test_a_worker_gets_the_locked_gpu(leased: str, given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def spawn(*arguments: Any) -> None:
        started.append(arguments[-1])
        raise InfrastructureError

    monkeypatch.setenv(VISIBLE_VARIABLE, "1")
    monkeypatch.setattr(process, "chosen_uuid", lambda: leased)
    monkeypatch.setattr(process, "spawn", spawn)
    on_a_gpu = WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA)
    with ProcessSandbox() as sandbox, pytest.raises(InfrastructureError):
        sandbox.worker(on_a_gpu)
    assert [environment[VISIBLE_VARIABLE] for environment in started] == [given]


def test_an_unkillable_process_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as child:
        tree = ProcessTree(child.pid, memory_bytes=0, processes=0)
        with monkeypatch.context() as deaf:
            deaf.setattr(psutil.Process, "kill", lambda _: None)
            with pytest.raises(InfrastructureError, match=f"could not be killed: {child.pid}"):
                tree.kill()
        tree.kill()
        assert child.wait(10) != 0
