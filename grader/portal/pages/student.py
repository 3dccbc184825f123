"""One student, as staff see them: grades by lab, and every decision."""

from starlette.responses import Response

from grader.course.staff_views import student_view
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page


def student(asked: Asked) -> Response:
    """The student in the address."""
    return page(
        asked,
        "student.html.j2",
        found=student_view(asked.workspace, asked.path["student"]),
        may_manage=asked.visitor.may(Scope.MANAGE_COURSE),
    )


ROUTES = (Page(path="/class/{student}", endpoint=student, scope=Scope.READ_COURSE),)
