"""Send grades in the background of a server: a round every half minute, while a course is connected."""

from grader.course.live_workspace import LiveWorkspace
from grader.course.lti.addresses import launch_url
from grader.course.lti.client import lti_client
from grader.course.lti.pushing import is_connected, push
from grader.course.rounds import Rounds
from grader.errors import UserError
from grader.logs import Event, log

PAUSE = 30.0
"""Seconds between two rounds."""


class Pusher(Rounds):
    """A round each ``pause`` seconds. Of several servers on one store one sends at a time."""

    def __init__(self, course: LiveWorkspace, pause: float = PAUSE) -> None:
        super().__init__("lti-grades", pause)
        self._course = course

    def round(self) -> None:
        """Send what changed."""
        workspace = self._course.current()
        if is_connected(workspace):
            push(workspace, lti_client(), launch_url(workspace))

    def failed(self, error: Exception) -> None:
        """Another server is sending, or a rule of the course has a mistake, which its pages name, or worse."""
        log(Event.GRADES_NOT_SENT, lab="", error=str(error) if isinstance(error, UserError) else repr(error))
