"""Send grades in the background of a server: a round every half minute, while a course is connected."""

import threading
from typing import Self

from grader.course.live_workspace import LiveWorkspace
from grader.course.lti.addresses import launch_url
from grader.course.lti.client import lti_client
from grader.course.lti.pushing import is_connected, push
from grader.errors import UserError
from grader.logs import Event, log

PAUSE = 30.0
"""Seconds between two rounds."""


class Pusher:
    """Context manager: rounds in a thread of their own. Of several servers on one store one sends at a time."""

    def __init__(self, course: LiveWorkspace, pause: float = PAUSE) -> None:
        self._course = course
        self._pause = pause
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lti-grades", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ends.wait(self._pause):
            try:
                workspace = self._course.current()
                if is_connected(workspace):
                    push(workspace, lti_client(), launch_url(workspace))
            except UserError as error:
                # Another server is sending, or a rule of the course has a mistake, which its pages name.
                log(Event.GRADES_NOT_SENT, lab="", error=str(error))
            except Exception as error:  # noqa: BLE001 - a round that fails must not be the last one
                log(Event.GRADES_NOT_SENT, lab="", error=repr(error))
