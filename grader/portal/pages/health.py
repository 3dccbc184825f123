"""For monitors: whether the portal works, and figures about it."""

from http import HTTPStatus

from starlette.responses import JSONResponse, PlainTextResponse, Response

from grader import __version__
from grader.course.operations import operations
from grader.errors import UserError
from grader.policy.access import Scope
from grader.portal import metrics
from grader.portal.asked import Asked
from grader.portal.page import METRICS, Page


def health(asked: Asked) -> Response:
    """Status 200 if the store can be read, else 503; and whether anything grades."""
    try:
        state = operations(asked.workspace)
    except UserError:
        return JSONResponse({"store": False}, status_code=HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse({"store": True, "grading": state.seen is not None, "version": __version__})


def figures(asked: Asked) -> Response:
    """Metrics of the server and of the course."""
    found = (
        *metrics.of_operations(operations(asked.workspace)),
        *asked.server.shared_counts.summed().metrics(),
    )
    return PlainTextResponse(metrics.text_of(found), media_type=metrics.TYPE)


ROUTES = (
    Page(path="/healthz", endpoint=health, scope=None),
    Page(path=METRICS, endpoint=figures, scope=Scope.OPERATE),
)
