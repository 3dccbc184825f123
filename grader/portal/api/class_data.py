"""The API for staff: what the class has."""

from grader.course.class_matrix import ClassMatrix, MatrixFilter, class_matrix, class_now
from grader.course.gradebook import gradebook
from grader.course.gradebook_document import gradebook_document
from grader.course.rules import course_of
from grader.policy.access import Scope
from grader.portal.api.route import Query, Route
from grader.portal.asked import Asked
from grader.report.gradebook import GradebookDocument


def get_class(asked: Asked) -> ClassMatrix:
    """The class as a matrix: a number where work is fine, a word where it is not."""
    wanted = MatrixFilter(search=asked.query.get("q", ""), section=asked.query.get("section", ""))
    return class_matrix(asked.workspace, wanted, class_now(asked.workspace, asked.now))


def get_gradebook(asked: Asked) -> GradebookDocument:
    """What the work of each student counts by the rules of the course, and why."""
    section = asked.query.get("section")
    lab = asked.query.get("lab")
    found = gradebook(
        asked.workspace,
        course_of(asked.workspace),
        labs=[lab] if lab else (),
        sections=[section] if section else (),
    )
    return gradebook_document(found)


_STAFF = (Scope.READ_COURSE,)
_SECTION = Query(name="section", meaning="Only students of this section.")

ROUTES = (
    Route(
        path="/class.json",
        endpoint=get_class,
        scopes=_STAFF,
        gives=ClassMatrix,
        query=(
            Query(name="q", meaning="Only students with these words in name, id or e-mail address."),
            _SECTION,
        ),
    ),
    Route(
        path="/gradebook",
        endpoint=get_gradebook,
        scopes=_STAFF,
        gives=GradebookDocument,
        query=(_SECTION, Query(name="lab", meaning="Only this lab.")),
    ),
)
