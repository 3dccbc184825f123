"""The time of one call of a student's function, which the judge begins and ends, not the program.

The program says when its preparation has ended. Its time runs from then on, and the judge gives it no inputs before.
The program also says when its function has returned; what it calls until the judge has its answer counts all the same.
"""

import threading

from grader.programs.processor_time import processor_seconds


class CallWindow:
    """Shared by the thread that talks to the program and the one that carries out its calls."""

    def __init__(self) -> None:
        self._opened, self._answered = threading.Event(), threading.Event()
        self._pid: int | None = None
        self._before = 0.0
        self.processor_seconds = 0.0
        """What the program's processes computed in the window, by the system's clock."""

    def attach(self, pid: int) -> None:
        """Measure the process ``pid`` and those that it starts."""
        self._pid = pid

    def open(self) -> bool:
        """Let the inputs be sent. Returns: whether this is the first time."""
        if self._opened.is_set():
            return False
        self._before = self._used()
        self._opened.set()
        return True

    def await_open(self, seconds: float) -> bool:
        """Wait until the program's preparation has ended. Returns: whether it has, within ``seconds``."""
        return self._opened.wait(seconds)

    def close(self) -> None:
        """The judge has the answer."""
        self.processor_seconds = self._used() - self._before
        self._answered.set()

    @property
    def is_closed(self) -> bool:
        """Whether the judge has the answer."""
        return self._answered.is_set()

    def _used(self) -> float:
        return 0.0 if self._pid is None else processor_seconds(self._pid)
