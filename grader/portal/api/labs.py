"""The API about labs: what is due, and the boards."""

from grader.api.attempts import Lab, Labs
from grader.course.class_board import class_board
from grader.course.class_board_document import class_board_document
from grader.course.course_labs import require_lab
from grader.course.my_labs import my_lab, my_labs
from grader.course.rules import course_of
from grader.messages import Speech
from grader.policy.access import Scope
from grader.portal.api.attempt_documents import lab_of
from grader.portal.api.route import Route
from grader.portal.asked import Asked
from grader.report.public_leaderboard import Leaderboards


def list_labs(asked: Asked) -> Labs:
    """The labs of the course: what is due, and what the person has in each."""
    found = my_labs(asked.workspace, asked.visitor.person, asked.now)
    speech = Speech(asked.visitor.language)
    return Labs(labs=tuple(lab_of(each, speech) for each in found.labs))


def get_lab(asked: Asked) -> Lab:
    """One lab: what is due, and what the person has in it."""
    found = my_lab(asked.workspace, asked.visitor.person, _lab(asked), asked.now)
    return lab_of(found, Speech(asked.visitor.language))


def get_board(asked: Asked) -> Leaderboards:
    """The leaderboards of a lab: those who take part, with the names that they chose."""
    is_staff = asked.visitor.may(Scope.READ_COURSE)
    found = class_board(asked.workspace, _lab(asked), asked.visitor.person, asked.now, is_staff=is_staff)
    return class_board_document(found, asked.now)


def _lab(asked: Asked) -> str:
    """The lab in the path. Raises: ``UnknownError`` if students see no such lab."""
    return require_lab(asked.workspace, course_of(asked.workspace), asked.path["lab"])


_READERS = (Scope.READ_OWN, Scope.READ_COURSE)

ROUTES = (
    Route(path="/labs", endpoint=list_labs, scopes=_READERS, gives=Labs),
    Route(path="/labs/{lab}", endpoint=get_lab, scopes=_READERS, gives=Lab),
    Route(path="/labs/{lab}/board", endpoint=get_board, scopes=_READERS, gives=Leaderboards),
)
