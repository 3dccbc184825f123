"""A program ends after its seconds of work, however busy the machine is."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from grader.programs.time_limit import TimeLimit

SECONDS = 0.2
NEVER = 1000.0
"""A patience that no test waits for."""

BUSY = "while True: pass"
SLEEPING = "import time; time.sleep(1000)"
LITTLE_WORK = "import time\nwhile time.process_time() < 0.05: pass"
FORKS = """
import os
while True:
    if os.fork() == 0:
        for _ in range(300_000): pass
        os._exit(0)
    os.wait()
"""
BUSY_CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-SE', '-c', {BUSY!r}])"


@contextmanager
def started(code: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process in a group of its own, which ends with the block."""
    with subprocess.Popen([sys.executable, "-SE", "-c", code], start_new_session=True) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def ended(code: str, patience: float) -> tuple[TimeLimit, int, float]:
    """The limit after a process has ended, its exit code, and how long it took."""
    limit, begin = TimeLimit(SECONDS, patience), time.monotonic()
    with started(code) as process, limit.over(process):
        exit_code = process.wait(60)
    return limit, exit_code, time.monotonic() - begin


def test_a_busy_loop_ends_after_its_seconds() -> None:
    limit, code, taken = ended(BUSY, NEVER)
    assert (limit.passed, code) == (True, -signal.SIGKILL)
    assert limit.used >= SECONDS
    assert limit.left == 0
    assert taken >= SECONDS


def test_a_sleeping_program_ends_after_the_patience() -> None:
    limit, code, taken = ended(SLEEPING, 2.0)
    assert (limit.passed, code) == (True, -signal.SIGKILL)
    assert taken >= 2 * SECONDS
    assert limit.used == SECONDS  # a program that waits has used all that it may


def test_without_patience_the_time_that_passes_counts() -> None:
    limit, _, taken = ended(SLEEPING, 1.0)
    assert limit.passed
    assert taken >= SECONDS


def test_a_program_that_gets_no_processor_keeps_its_seconds() -> None:
    limit = TimeLimit(SECONDS, NEVER)
    with started(LITTLE_WORK) as process, limit.over(process):
        process.send_signal(signal.SIGSTOP)
        time.sleep(2 * SECONDS)
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 0
    assert not limit.passed
    assert limit.used < SECONDS


def test_the_work_of_a_child_counts() -> None:
    limit, _, _ = ended(BUSY_CHILD, NEVER)
    assert limit.passed


def test_the_work_of_children_that_have_ended_counts() -> None:
    limit, _, _ = ended(FORKS, NEVER)
    assert limit.passed


def test_the_work_of_the_thread_that_carries_out_calls_counts() -> None:
    limit = TimeLimit(SECONDS, NEVER)
    with started(SLEEPING) as process, limit.over(process):
        while not limit.passed:  # as a kernel that never ends does
            sum(range(1000))
        assert process.wait(60) == -signal.SIGKILL
    assert limit.left == 0


def test_a_program_that_ends_in_time_has_seconds_left() -> None:
    limit, code, _ = ended("pass", NEVER)
    assert (limit.passed, code) == (False, 0)
    assert 0 < limit.left <= SECONDS
