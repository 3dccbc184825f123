"""Killing at random: a grader, what works for it, or the engine under it."""

import contextlib
import random
import signal
import subprocess
from collections.abc import Callable

import psutil

Kill = Callable[[subprocess.Popen[bytes], random.Random], None]


def kill_grader(grader: subprocess.Popen[bytes], _: random.Random) -> None:
    """Kill the grader itself."""
    grader.kill()
    grader.wait()


def kill_worker(grader: subprocess.Popen[bytes], drawn: random.Random) -> None:
    """Whatever works for the grader may be hit: a worker, or the process that keeps or bears it."""
    with contextlib.suppress(psutil.NoSuchProcess):
        hit(psutil.Process(grader.pid).children(recursive=True), drawn)


def hit(processes: list[psutil.Process], drawn: random.Random) -> None:
    """Kill one of them, if there is any."""
    if processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            drawn.choice(processes).send_signal(signal.SIGKILL)
