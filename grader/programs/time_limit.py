"""Ends a program that runs too long."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_after(child: "subprocess.Popen[bytes]", seconds: float) -> Iterator[None]:
    """Kill a process after a time, while the block runs."""
    timer = threading.Timer(seconds, child.kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
