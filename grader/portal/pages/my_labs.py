"""The start of a student: the labs, what is due, and what is missing."""

from starlette.responses import Response

from grader.course.my_labs import my_labs
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.times import Times


def labs(asked: Asked) -> Response:
    """The labs of the visitor."""
    found = my_labs(asked.workspace, asked.visitor.person, asked.now)
    return page(asked, "my_labs.html.j2", found=found, times=Times.of(asked))


ROUTES = (Page(path="/labs", endpoint=labs, scope=Scope.READ_OWN, label="portal-my-labs"),)
