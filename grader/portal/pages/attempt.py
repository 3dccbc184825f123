"""An attempt of a student: led by the one cause, with its live state while it is graded."""

from collections.abc import Sequence

from starlette.responses import Response

from grader.course import requests
from grader.course.attempt_view import AttemptView, attempt_view
from grader.course.document import results_document
from grader.course.withdraw import withdraw
from grader.errors import NotFoundError
from grader.model.submission import SourceFile
from grader.policy.access import Scope
from grader.portal.answers import download, page, redirect
from grader.portal.asked import Asked
from grader.portal.attempt_links import OwnLinks, PreviewLinks
from grader.portal.page import Page
from grader.portal.report_page import report_page
from grader.portal.times import Times
from grader.report.lead import headline
from grader.report.pages import submission_page
from grader.report.redact import Audience

_MOST_TEXT = 4000


def attempt(asked: Asked) -> Response:
    """The page of the attempt."""
    found = _own(asked)
    return shown(asked, found, OwnLinks(lab=found.lab, title=found.title))


def shown(asked: Asked, found: AttemptView, links: OwnLinks | PreviewLinks) -> Response:
    """The page of ``found``."""
    report = None if found.result is None else found.result.report
    return page(
        asked,
        "attempt.html.j2",
        found=found,
        heading=None if report is None else headline(report),
        times=Times.of(asked),
        links=links,
    )


def report(asked: Asked) -> Response:
    """The whole report: every case, the source with figures, roofline and timeline."""
    return whole_report(asked, _own(asked))


def whole_report(asked: Asked, found: AttemptView) -> Response:
    """The whole report of ``found``. Raises: ``NotFoundError`` if it has none that the student may see."""
    if found.result is None:
        msg = "The attempt has no report."
        raise NotFoundError(msg)
    document = results_document(found.result.engine, [found.result.report])
    sources = {(found.student, found.lab): found.files}
    return report_page(submission_page.render(document, sources, Audience.STUDENT, asked.visitor.language))


def file(asked: Asked) -> Response:
    """A file of the attempt, as it was submitted."""
    return file_of(asked, _own(asked).files)


def file_of(asked: Asked, files: Sequence[SourceFile]) -> Response:
    """The one of ``files`` that the address names. Raises: ``NotFoundError``."""
    name = asked.query.get("name", "")
    found = next((each for each in files if each.name == name), None)
    if found is None:
        msg = "The attempt has no such file."
        raise NotFoundError(msg)
    return download(found.name.rpartition("/")[2], found.data)


def take_back(asked: Asked) -> Response:
    """Withdraw the attempt while it waits."""
    found = _own(asked)
    withdraw(asked.workspace, found.line.id)
    return redirect(asked, f"/attempts/{found.line.id}")


def ask(asked: Asked) -> Response:
    """Ask staff about the result."""
    found = _own(asked)
    if not found.may_ask:
        msg = "Staff can be asked about the newest result, and once at a time."
        raise NotFoundError(msg)
    requests.ask(asked.workspace, found.student, found.lab, asked.text("text", _MOST_TEXT))
    return redirect(asked, f"/attempts/{found.line.id}#question")


def _own(asked: Asked) -> AttemptView:
    return attempt_view(
        asked.workspace,
        int(asked.path["attempt"]),
        asked.now,
        owner=asked.visitor.person,
        audience=Audience.STUDENT,
    )


ROUTES = (
    Page(path="/attempts/{attempt:int}", endpoint=attempt, scope=Scope.READ_OWN),
    Page(path="/attempts/{attempt:int}/report", endpoint=report, scope=Scope.READ_OWN),
    Page(path="/attempts/{attempt:int}/file", endpoint=file, scope=Scope.READ_OWN),
    Page(path="/attempts/{attempt:int}/withdraw", endpoint=take_back, scope=Scope.SUBMIT, methods=("POST",)),
    Page(path="/attempts/{attempt:int}/question", endpoint=ask, scope=Scope.SUBMIT, methods=("POST",)),
)
