"""What a class found hard in a lab."""

from starlette.responses import Response

from grader.course.statistics import statistics
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page


def lab_statistics(asked: Asked) -> Response:
    """The statistics of the lab in the address."""
    return page(asked, "statistics.html.j2", found=statistics(asked.workspace, asked.path["lab"]))


ROUTES = (Page(path="/statistics/{lab}", endpoint=lab_statistics, scope=Scope.READ_COURSE),)
