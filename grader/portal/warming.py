"""Count the class while a server starts, so that the first request need not."""

import threading
from datetime import UTC, datetime
from typing import Self

from grader.course.class_matrix import MatrixFilter, class_matrix
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.logs import Event, log


class Warming:
    """Context manager: counts in a thread of its own, and ends with it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._thread = threading.Thread(target=self._run, name="warming", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            class_matrix(self._workspace, MatrixFilter(), datetime.now(UTC))
        except UserError as error:
            # The page of the class says it to those who can change it.
            log(Event.PAGE_FAILED, page="/class", error=repr(error), where=__name__)
