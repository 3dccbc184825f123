"""Count the class while a server starts and whenever it changes, so that a request finds little left to count."""

import threading
from datetime import UTC, datetime
from typing import Self

from grader.course.class_matrix import MatrixFilter, class_matrix, class_now
from grader.course.live_workspace import LiveWorkspace
from grader.errors import UserError
from grader.logs import Event, log

PERIOD_SECONDS = 2.0
"""How often it looks for changes."""


class ClassKeeper:
    """Context manager: counts in a thread of its own, at once and then every ``period`` seconds."""

    def __init__(self, course: LiveWorkspace, period: float = PERIOD_SECONDS) -> None:
        self._course = course
        self._period = period
        self._ends = threading.Event()
        self._said = ""
        self._thread = threading.Thread(target=self._run, name="class", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        self._count()
        while not self._ends.wait(self._period):
            self._count()

    def _count(self) -> None:
        try:
            workspace = self._course.current()
            class_matrix(workspace, MatrixFilter(), class_now(workspace, datetime.now(UTC)))
            self._said = ""
        except UserError as error:
            # The page of the class says it to those who can change it; the log has it once.
            if self._said != repr(error):
                log(Event.PAGE_FAILED, page="/class", error=repr(error), where=__name__)
            self._said = repr(error)
