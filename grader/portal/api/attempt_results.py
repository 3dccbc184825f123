"""The API about what came of an attempt: its result as data, and its report to read."""

from http import HTTPStatus

from starlette.responses import Response

from grader.course.attempt_view import AttemptResult, AttemptView
from grader.course.document import results_document
from grader.messages import Speech
from grader.model import results_v1
from grader.model.reason import reason
from grader.portal import answers
from grader.portal.api.attempts import READERS, audience, viewed
from grader.portal.api.route import Media, Query, Route
from grader.portal.asked import Asked
from grader.report import results_json
from grader.report.pages import submission_page
from grader.report.terminal.escapes import with_escapes
from grader.report.terminal.submission import single_report

_TEXT, _PAGE = "text/plain", "text/html"
_COLUMNS = 100


def get_result(asked: Asked) -> results_v1.ResultsDocument | Response:
    """The result of an attempt as `results.json` has it, as far as the reader may see it."""
    result = viewed(asked).result
    if result is None:
        return _nothing(asked)
    return results_json.published(results_document(result.engine, [result.report]))


def get_report(asked: Asked) -> Response:
    """The report of an attempt as text for a terminal, with colours, or as a page."""
    view = viewed(asked)
    if view.result is None:
        return _nothing(asked)
    if _PAGE in asked.headers.get("accept", ""):
        return Response(_page(asked, view, view.result), media_type=_PAGE)
    return Response(_text(asked, view, view.result), media_type=_TEXT)


def _nothing(asked: Asked) -> Response:
    return answers.problem(asked, HTTPStatus.NOT_FOUND, reason("api-no-result"))


def _page(asked: Asked, view: AttemptView, result: AttemptResult) -> str:
    document = results_document(result.engine, [result.report])
    sources = {(view.student, view.lab): view.files}
    return submission_page.render(document, sources, audience(asked), asked.visitor.language)


def _text(asked: Asked, view: AttemptView, result: AttemptResult) -> str:
    speech = Speech(asked.visitor.language)
    report = single_report(result.report, result.engine, view.files, audience(asked), speech=speech)
    return with_escapes(report, int(asked.query.get("columns", _COLUMNS)))


_ATTEMPT = "/attempts/{attempt}"

ROUTES = (
    Route(path=f"{_ATTEMPT}/result", endpoint=get_result, scopes=READERS, gives=results_v1.ResultsDocument),
    Route(
        path=f"{_ATTEMPT}/report",
        endpoint=get_report,
        scopes=READERS,
        gives=Media(types=(_TEXT, _PAGE)),
        query=(Query(name="columns", meaning="The width of the text.", kind=int, low=40, high=400),),
    ),
)
