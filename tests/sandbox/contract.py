"""The contract of all sandboxes; a test module per implementation inherits from this class."""

import secrets
import threading
import time
from pathlib import Path

import psutil
import pytest

from grader.engines.builtin import EMULATOR
from grader.model.build import Translation
from grader.model.devices import H200
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, Sandbox, WorkerLostError
from grader.worker.messages import RequestKind, WorkerRole, WorkerSettings
from tools.messages import english
from tools.worker_requests import BUILD, FILL_CU, LIMITS, MIB, SECONDS, request, settings


class SandboxContract:
    """Tests of the contract. Subclasses provide the fixture ``sandbox``."""

    def build(self, sandbox: Sandbox, source: str, name: str, *, seconds: float = SECONDS) -> Translation:
        with sandbox.worker(settings(name)) as worker:
            return worker.ask(
                RequestKind.TRANSLATE,
                request(source, name),
                Translation,
                seconds=seconds,
                reply_bytes=64 * MIB,
            )

    def ending(self, sandbox: Sandbox, source: str, *, seconds: float = SECONDS) -> LossCause | Verdict:
        """Return how a build that must fail ends: the worker dies, or survives and reports a fault."""
        try:
            outcome = self.build(sandbox, source, "fill.py", seconds=seconds)
        except WorkerLostError as loss:
            return loss.cause
        assert outcome.fault is not None
        return outcome.fault.verdict

    def test_a_worker_builds(self, sandbox: Sandbox) -> None:
        outcome = self.build(sandbox, FILL_CU, "fill.cu")
        assert outcome.fault is None
        assert outcome.module is not None
        assert outcome.module.kernel("fill").symbol == "fill"

    def test_what_student_code_prints_does_not_disturb_the_answer(self, sandbox: Sandbox) -> None:
        source = "import sys, os\nprint('hello' * 1000)\nos.write(1, b'x' * 5000)\nsys.stdout.flush()\n"
        assert self.build(sandbox, source, "fill.py").module is not None

    def test_an_endless_import_is_ended_and_leaves_nothing(self, sandbox: Sandbox) -> None:
        nap = a_nap()
        source = f"import subprocess, sys, time\nsubprocess.Popen({napping(nap)})\ntime.sleep(600)\n"
        with pytest.raises(WorkerLostError) as caught:
            self.build(sandbox, source, "fill.py", seconds=4)
        assert caught.value.cause is LossCause.TIMED_OUT
        assert not running(nap)

    def test_a_process_that_leaves_the_session_is_ended_too(self, sandbox: Sandbox) -> None:
        nap = a_nap()
        source = f"import os, subprocess, sys\nsubprocess.Popen({napping(nap)}, start_new_session=True)\nos._exit(3)\n"
        with pytest.raises(WorkerLostError) as caught:
            self.build(sandbox, source, "fill.py", seconds=20)
        assert caught.value.cause is LossCause.DIED
        assert "exit code 3" in str(caught.value)
        assert not running(nap)

    def test_memory_is_bounded(self, sandbox: Sandbox) -> None:
        source = "hoard = []\nwhile True:\n    hoard.append(bytearray(64 * 2**20))\n"
        assert self.ending(sandbox, source) in {
            LossCause.OVER_MEMORY,
            Verdict.FAILED_TO_BUILD,
            Verdict.OVER_THE_LIMIT,
        }

    def test_a_fork_bomb_is_ended(self, sandbox: Sandbox) -> None:
        source = (
            "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(300)\n"
            "time.sleep(300)\n"
        )
        causes = {LossCause.OVER_PROCESSES, LossCause.DIED, Verdict.FAILED_TO_BUILD}
        assert self.ending(sandbox, source, seconds=20) in causes

    def test_a_file_too_large_is_not_written(self, sandbox: Sandbox, tmp_path: Path) -> None:
        source = "with open('big', 'wb') as f:\n    f.write(bytes(64 * 2**20))\n"
        assert self.ending(sandbox, source) in {LossCause.DIED, Verdict.FAILED_TO_BUILD}
        assert not list(tmp_path.iterdir())

    def test_a_forged_answer_is_garbled(self, sandbox: Sandbox) -> None:
        source = (
            "import os\n"
            "for fd in range(3, 40):\n    try:\n        os.write(fd, (10).to_bytes(8, 'big') + b'\\x93aaaaaaaaa')\n"
            "    except OSError:\n        pass\n"
            "import time\ntime.sleep(2)\n"
        )
        with pytest.raises(WorkerLostError) as caught:
            self.build(sandbox, source, "fill.py", seconds=20)
        assert caught.value.cause in {LossCause.GARBLED, LossCause.DIED}

    def test_the_environment_holds_nothing_of_the_graders(
        self, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COURSE_SECRET", "42")
        source = (
            "import os\nassert 'COURSE_SECRET' not in os.environ, 'seen'\n"
            "assert os.getcwd() == os.environ['HOME']\n"
        )
        outcome = self.build(sandbox, source, "fill.py")
        reasons = [english(fault.reason) for fault in [outcome.fault, *outcome.problems.values()] if fault]
        assert not any("seen" in reason or "AssertionError" in reason for reason in reasons)

    def test_a_crash_is_reported_with_its_signal(self, sandbox: Sandbox) -> None:
        with pytest.raises(WorkerLostError, match="signal 11"):
            self.build(sandbox, "import ctypes\nctypes.string_at(0)\n", "fill.py")

    def test_a_flood_of_output_is_bounded_and_ended(self, sandbox: Sandbox) -> None:
        source = "import os\nwhile True:\n    os.write(2, b'x' * 65536)\n"
        before = psutil.Process().memory_info().rss
        assert self.ending(sandbox, source, seconds=3) is LossCause.TIMED_OUT
        assert psutil.Process().memory_info().rss - before < 64 * MIB

    def test_a_run_worker_has_the_emulators_device(self, sandbox: Sandbox) -> None:
        with sandbox.worker(
            WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=EMULATOR, device=H200)
        ) as worker:
            assert worker.ready.device is not None

    def test_a_worker_outlives_the_thread_that_requested_it(self, sandbox: Sandbox) -> None:
        workers = []
        asking = threading.Thread(target=lambda: workers.append(sandbox.worker(BUILD)))
        asking.start()
        asking.join()
        with workers[0] as worker:
            outcome = worker.ask(
                RequestKind.TRANSLATE,
                request(FILL_CU, "fill.cu"),
                Translation,
                seconds=SECONDS,
                reply_bytes=64 * MIB,
            )
        assert outcome.module is not None


def napping(nap: str) -> str:
    """Return the command, as Python, of a process that sleeps. The interpreter is the only program in a sandbox."""
    return f"[sys.executable, '-S', '-c', 'import sys, time; time.sleep(float(sys.argv[1]))', '{nap}']"


def a_nap() -> str:
    """Return a number of seconds to sleep that no other test, in any checkout, uses at the same time."""
    return f"900.{secrets.randbelow(10**9):09}"


def running(argument: str) -> bool:
    """Whether a process that is not a zombie has ``argument`` on its command line."""
    time.sleep(0.2)
    return any(
        argument in (process.info["cmdline"] or []) and process.info["status"] != psutil.STATUS_ZOMBIE
        for process in psutil.process_iter(["cmdline", "status"])
    )
