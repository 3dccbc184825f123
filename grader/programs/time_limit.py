"""Ends a program that runs too long."""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from grader.programs.processor_time import processor_seconds

_POLL_SECONDS = 0.05


class TimeLimit:
    """The seconds that a program may take.

    What counts is the time that it and the calling thread, which carries out its calls, spend on a processor, at most
    the time that passes: a busy machine costs a program nothing. A program that waits ends after ``patience`` times
    its seconds. With a ``patience`` of 1 all the time that passes is what ends it.
    """

    def __init__(self, seconds: float, patience: float = 1.0) -> None:
        self._seconds = seconds
        self._latest = seconds * patience
        self._caller = time.pthread_getcpuclockid(threading.get_ident())
        self._done = threading.Event()
        self.used = 0.0
        """The seconds that counted at the last look at the program; all of them once it was ended."""
        self.passed = False
        """Whether the program was ended."""

    @property
    def left(self) -> float:
        """The seconds that the calling thread may still use."""
        return max(0.0, self._seconds - self.used)

    @contextmanager
    def over(self, child: "subprocess.Popen[bytes]") -> Iterator[None]:
        """Kill a process once its time is up, while the block runs."""
        watch = threading.Thread(target=self._watch, args=(child,), name="time-limit", daemon=True)
        watch.start()
        try:
            yield
        finally:
            self._done.set()
            watch.join()

    def _watch(self, child: "subprocess.Popen[bytes]") -> None:
        begin = before = time.monotonic()
        computed = self._computed(child)
        is_done = False
        while not is_done:
            is_done = self._done.wait(_POLL_SECONDS)
            now, total = time.monotonic(), self._computed(child)
            # A process that has ended takes its time with it.
            self.used += min(now - before, max(0.0, total - computed))
            before, computed = now, total
            if not is_done and (self.used >= self._seconds or now - begin >= self._latest):
                self.passed, self.used = True, max(self.used, self._seconds)
                child.kill()
                return

    def _computed(self, child: "subprocess.Popen[bytes]") -> float:
        return processor_seconds(child.pid) + time.clock_gettime(self._caller)
