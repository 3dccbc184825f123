"""The labs that students of the course see."""

from grader.course.refused import UnknownError
from grader.course.workspace import Workspace
from grader.model.reason import reason
from grader.model.text import natural_key, printable
from grader.policy.rules import Course


def student_labs(workspace: Workspace, course: Course) -> tuple[str, ...]:
    """The labs of ``course`` in its order; every installed lab if it names none."""
    known = workspace.registry.labs
    if course.labs:
        return tuple(lab for lab in course.labs if lab in known)
    return tuple(sorted(known, key=natural_key))


def require_lab(workspace: Workspace, course: Course, lab: str) -> str:
    """``lab``. Raises: ``UnknownError`` if students of the course see no such lab."""
    if lab not in student_labs(workspace, course):
        raise UnknownError(reason("lab-unknown", lab=printable(lab)))
    return lab
