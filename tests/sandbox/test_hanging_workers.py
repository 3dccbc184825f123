"""A worker that does not answer is stopped at its time limit, with all processes that it started."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from grader.errors import InfrastructureError
from grader.sandbox import forkserver
from grader.sandbox.child import make_pipes, spawn
from grader.sandbox.forkserver import ForkServer
from grader.sandbox.port import LossCause, WorkerLostError
from grader.sandbox.process import ProcessSandbox
from grader.sandbox.process_tree import ProcessTree
from grader.sandbox.worker_client import WorkerClient, wait_until_ready
from grader.worker.messages import Ready, RequestKind
from tests.sandbox.contract import SandboxContract, running
from tools.worker_requests import BUILD, MIB

SECONDS = 0.5
ENOUGH = 15.0

READY = """
import os, signal, subprocess, sys, time
from grader.worker import wire
from grader.worker.messages import Ready

def say(body):
    with os.fdopen(os.dup(1), "wb") as writer:
        wire.send(writer, wire.answer("", body))

say(Ready())
"""
HEARD = READY + "os.read(0, 2**16)\n"

HANGS = {
    "sleeps": HEARD + "time.sleep(600)",
    "spins": HEARD + "while True: pass",
    "ignores every signal it can": HEARD
    + "for number in range(1, 32):\n    if number not in (9, 17, 19): signal.signal(number, signal.SIG_IGN)\n"
    + "time.sleep(600)",
    "writes a byte now and then": HEARD
    + "os.write(1, (1000).to_bytes(8))\nwhile True:\n    os.write(1, b'x')\n    time.sleep(0.02)",
    "never reads its request": READY + "time.sleep(600)",
    "closes its input": READY + "os.close(0)\ntime.sleep(600)",
    "stops itself": HEARD + "os.kill(os.getpid(), signal.SIGSTOP)",
    "talks to standard error without end": HEARD + "while True: os.write(2, b'x' * 65536)",
    "leaves the session with a child that holds its pipes": HEARD
    + "subprocess.Popen(['sleep', '985'], start_new_session=True)\ntime.sleep(600)",
}


@pytest.fixture
def speak(tmp_path: Path) -> Iterator[Callable[[str], WorkerClient]]:
    """Return a function that starts a worker that runs a Python script."""
    with ExitStack() as undo:

        def start(script: str) -> WorkerClient:
            pipes, streams = make_pipes()
            scratch = ExitStack()
            scratch.callback(pipes.close)
            with streams:
                child = spawn([sys.executable, "-c", script], streams, tmp_path, dict(os.environ))
            tree = ProcessTree(child.pid, memory_bytes=0, processes=0)
            return undo.enter_context(WorkerClient(child, pipes, tree, threading.Event(), scratch))

        yield start


def ended(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("what", HANGS)
def test_a_worker_that_does_not_answer_is_ended(what: str, speak: Callable[[str], WorkerClient]) -> None:
    worker = speak(HANGS[what])
    worker.await_ready(ENOUGH)
    with pytest.raises(WorkerLostError) as loss:
        worker.ask(RequestKind.TRANSLATE, b"x" * 4 * MIB, Ready, seconds=SECONDS, reply_bytes=MIB)
    assert loss.value.cause is LossCause.TIMED_OUT
    worker.close()
    assert ended(worker.pid)
    assert not running("985")


@pytest.mark.parametrize(
    "script", ["import time; time.sleep(600)", "import os\nwhile True: os.write(1, b'')", "input()"]
)
def test_a_worker_that_never_says_its_first_word_is_our_fault(
    script: str, speak: Callable[[str], WorkerClient]
) -> None:
    worker = speak(script)
    with pytest.raises(InfrastructureError, match=r"a worker did not start: it gave no answer within 0\.5 s"):
        worker.await_ready(SECONDS)
    worker.close()
    assert ended(worker.pid)


def test_a_worker_that_does_not_start_is_closed(
    speak: Callable[[str], WorkerClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.worker_client.STARTUP_SECONDS", SECONDS)
    worker = speak("import time; time.sleep(600)")
    with pytest.raises(InfrastructureError):
        wait_until_ready(worker)
    assert ended(worker.pid)


def test_closing_does_not_wait_for_a_worker_that_ignores_it(speak: Callable[[str], WorkerClient]) -> None:
    worker = speak(HANGS["ignores every signal it can"])
    worker.await_ready(ENOUGH)
    worker.close()
    assert ended(worker.pid)


def test_the_next_build_starts_clean_after_one_that_hung() -> None:
    talk = SandboxContract()
    hang = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)\n"
    with ProcessSandbox() as sandbox:
        with pytest.raises(WorkerLostError) as loss:
            talk.build(sandbox, hang, "fill.py", seconds=3)
        assert loss.value.cause is LossCause.TIMED_OUT
        talk.test_a_worker_builds(sandbox)


def test_a_forkserver_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with ProcessSandbox() as sandbox:
        with sandbox.worker(BUILD) as worker:
            mother = psutil.Process(worker.pid).parent()
        assert mother is not None
        mother.suspend()
        with monkeypatch.context() as impatient:
            impatient.setattr(forkserver, "REPLY_SECONDS", SECONDS)
            with pytest.raises(InfrastructureError, match="does not answer"):
                sandbox.worker(BUILD)
        with sandbox.worker(BUILD) as worker:
            assert worker.is_fresh()
        assert ended(mother.pid)


def test_a_killed_forkserver_is_replaced() -> None:
    with ProcessSandbox() as sandbox:
        with sandbox.worker(BUILD) as worker:
            mother = psutil.Process(worker.pid).parent()
        assert mother is not None
        mother.kill()
        with pytest.raises(InfrastructureError, match="does not answer"):
            sandbox.worker(BUILD)
        with sandbox.worker(BUILD) as worker:
            assert worker.is_fresh()


def test_closing_a_nursery_that_hangs_ends_it() -> None:
    hung = ForkServer([sys.executable, "-c", "import time; time.sleep(10**5)"], dict(os.environ))
    hung.close()
