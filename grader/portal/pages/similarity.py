"""How alike the submissions to a lab are: the list, and a pair side by side."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from urllib.parse import quote

from starlette.responses import Response

from grader.course.notifier import SILENT
from grader.course.records import Records
from grader.course.similar import SimilarRequest, similar
from grader.errors import NotFoundError
from grader.policy.access import Scope
from grader.portal.answers import redirect
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.report_page import report_page
from grader.report import similarity_json
from grader.report.pages import similarity_page

_KEPT = 8


class _Pages:
    """The pages that were made last, so that a list and its pairs are of one comparison. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[str, ...], Mapping[str, str]] = OrderedDict()

    def of(self, asked: Asked, lab: str) -> Mapping[str, str]:
        """The pages of ``lab`` in the visitor's language, by all that is stored now."""
        with Records(asked.workspace) as records:
            revision = asked.workspace.class_grades.current(records).revision
        language = asked.visitor.language
        key = (str(asked.workspace.config.base), lab, language, revision)
        with self._lock:
            if key not in self._made:
                found = similar(asked.workspace, SimilarRequest(lab=lab, tokens_only=True), SILENT)
                document = similarity_json.document(
                    found.report, grader_version=found.grader_version, created_at=found.created_at
                )
                self._made[key] = similarity_page.pages(document, found.sources, language)
            self._made.move_to_end(key)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
            return self._made[key]


_PAGES = _Pages()


def start(asked: Asked) -> Response:
    """Lead to the list, beside which the pairs are."""
    lab = quote(asked.path["lab"], safe="")
    return redirect(asked, f"/similarity/{lab}/{similarity_page.INDEX}")


def shown(asked: Asked) -> Response:
    """The list, or one pair. Raises: ``NotFoundError``."""
    made = _PAGES.of(asked, asked.path["lab"])
    if asked.path["page"] not in made:
        msg = "There is no such pair of submissions any more."
        raise NotFoundError(msg)
    return report_page(made[asked.path["page"]])


ROUTES = (
    Page(path="/similarity/{lab}", endpoint=start, scope=Scope.READ_COURSE),
    Page(path="/similarity/{lab}/{page}", endpoint=shown, scope=Scope.READ_COURSE),
)
