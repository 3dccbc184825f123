"""A dispatcher beside a server: a process of its own that is started again when it ends."""

import subprocess
import sys
import threading
from types import TracebackType
from typing import Self

from grader.logs import Event, log

COMMAND = (sys.executable, "-m", "grader.cli", "workers", "start")
"""Serves the queue of the course in the current directory."""

_PAUSE_SECONDS = 5.0
_STOP_SECONDS = 30.0


class WorkersBeside:
    """Context manager: ``command`` runs in a process. A fault of a worker must not end the pages, nor the reverse."""

    def __init__(self, command: tuple[str, ...] = COMMAND, pause: float = _PAUSE_SECONDS) -> None:
        self._command = command
        self._pause = pause
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._keeper = threading.Thread(target=self._keep, name="workers", daemon=True)

    def __enter__(self) -> Self:
        self._keeper.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        if self._process is not None:
            self._process.terminate()
        self._keeper.join(_STOP_SECONDS)
        if self._keeper.is_alive() and self._process is not None:
            self._process.kill()

    def _keep(self) -> None:
        while not self._stopping.is_set():
            self._process = subprocess.Popen(self._command)  # noqa: S603 - our own command line
            if self._stopping.is_set():
                self._process.terminate()
            code = self._process.wait()
            if not self._stopping.is_set():
                log(Event.WORKERS_ENDED, code=code, pause_seconds=self._pause)
            self._stopping.wait(self._pause)
