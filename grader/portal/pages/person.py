"""What is stored about one person, for instructors: take it away, or erase it."""

from starlette.responses import Response

from grader.course.person import erase, exported_data
from grader.course.staff import Staff
from grader.course.staff_views import student_view
from grader.errors import UserError
from grader.policy.access import Scope
from grader.portal.answers import download, page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, done_or_again
from grader.portal.page import Page
from grader.report.files import plain_name

_HERE = "/people/{student}"
_MAX_REASON = 500


def person(asked: Asked, failed: Failed = NOT_FAILED) -> Response:
    """The export and the form of erasure. Raises: ``NotFoundError`` for a stranger."""
    found = student_view(asked.workspace, asked.path["student"])
    return page(asked, "person.html.j2", person=found.state.grades.person, failed=failed)


def export(asked: Asked) -> Response:
    """Everything that is stored about the person."""
    student = asked.path["student"]
    data = exported_data(asked.workspace, student)
    return download(f"{plain_name(student)}.zip", data, "application/zip")


def forget(asked: Asked) -> Response:
    """Erase the person if the form repeats their id."""
    student = asked.path["student"]

    def act() -> str:
        if asked.text("id", default="") != student:
            msg = "The id that confirms it is another one."
            raise UserError(msg, hint="Type the id of the person.")
        staff = Staff(because=asked.text("because", _MAX_REASON), by=asked.visitor.name)
        erase(asked.workspace, student, None, staff, confirmed=True)
        return "/class"

    return done_or_again(asked, "erasure", act, person)


ROUTES = (
    Page(path=_HERE, endpoint=person, scope=Scope.MANAGE_COURSE),
    Page(path=f"{_HERE}/export", endpoint=export, scope=Scope.MANAGE_COURSE),
    Page(path=f"{_HERE}/erasure", endpoint=forget, scope=Scope.MANAGE_COURSE, methods=("POST",)),
)
