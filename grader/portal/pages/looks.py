"""What waits for a person: flagged results, questions of students, and jobs that the grader lost."""

from starlette.responses import Response

from grader.course.decide import flagged
from grader.course.operations import operations
from grader.course.requests import open_requests
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page


def looks(asked: Asked) -> Response:
    """Everything that waits; each line leads to the work with its form."""
    works = flagged(asked.workspace)
    return page(
        asked,
        "looks.html.j2",
        waiting=[each for each in works if not each.reviews],
        reviewed=[each for each in works if each.reviews],
        questions=open_requests(asked.workspace),
        lost=operations(asked.workspace).failed,
    )


ROUTES = (Page(path="/looks", endpoint=looks, scope=Scope.READ_COURSE, label="staff-looks"),)
