"""Count the class while a server starts and whenever it changes, so that a request finds little left to count."""

from datetime import UTC, datetime

from grader.course.class_matrix import MatrixFilter, class_matrix, class_now
from grader.course.live_workspace import LiveWorkspace
from grader.course.rounds import Rounds
from grader.logs import Event, log

PERIOD_SECONDS = 2.0
"""How often it looks for changes."""


class ClassKeeper(Rounds):
    """Counts at once and then every ``period`` seconds."""

    def __init__(self, course: LiveWorkspace, period: float = PERIOD_SECONDS) -> None:
        super().__init__("class", period, at_once=True)
        self._course = course
        self._said = ""

    def round(self) -> None:
        """Count what changed."""
        workspace = self._course.current()
        class_matrix(workspace, MatrixFilter(), class_now(workspace, datetime.now(UTC)))
        self._said = ""

    def failed(self, error: Exception) -> None:
        """The page of the class says it to those who can change it; the log has it once."""
        if self._said != repr(error):
            log(Event.PAGE_FAILED, page="/class", error=repr(error), where=__name__)
        self._said = repr(error)
