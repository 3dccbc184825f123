"""What a page answers with."""

import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.responses import HTMLResponse, RedirectResponse, Response

from grader.course.refused import RefusedError
from grader.errors import UserError
from grader.model.reason import Reason, as_written, reason
from grader.portal.asked import Asked
from grader.portal.page import Client
from grader.portal.problem_document import problem_document
from grader.portal.templating import render

_TITLES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: "portal-refused",
    HTTPStatus.FORBIDDEN: "portal-forbidden",
    HTTPStatus.NOT_FOUND: "portal-not-found",
    HTTPStatus.METHOD_NOT_ALLOWED: "portal-not-found",
    HTTPStatus.GONE: "portal-gone",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "portal-too-large",
    HTTPStatus.TOO_MANY_REQUESTS: "portal-too-often",
}
"""The heading of a problem by its status; others are faults of the server."""


def page(asked: Asked, template: str, /, *, status: int = HTTPStatus.OK, **values: Any) -> Response:
    """A page, or a part of one, from ``template``."""
    return HTMLResponse(render(asked, template, **values), status_code=status)


def redirect(asked: Asked, path: str) -> Response:
    """Go on with ``path`` of this portal, after a form or as a link."""
    return RedirectResponse(own_path(path, asked.server.origin), status_code=HTTPStatus.SEE_OTHER)


def problem(asked: Asked, status: int, why: Reason, *, hint: str = "") -> Response:
    """A page that says ``why``; to htmx only its text, to a program a document."""
    if asked.client is Client.PROGRAM:
        body = problem_document(status, why, hint, asked.visitor.language)
        return Response(body, status, media_type="application/json")
    title = reason(_TITLES.get(status, "portal-fault"))
    template = "parts/problem.html.j2" if asked.is_fragment else "problem.html.j2"
    return page(asked, template, status=status, heading=title, why=why, hint=hint)


def too_often(asked: Asked, wait: float) -> Response:
    """The answer to a visitor who must ``wait`` some seconds."""
    seconds = math.ceil(wait)
    answer = problem(asked, HTTPStatus.TOO_MANY_REQUESTS, reason("portal-too-often-why", count=seconds))
    answer.headers["Retry-After"] = str(seconds)
    return answer


def refused(asked: Asked, error: UserError, status: int = HTTPStatus.BAD_REQUEST) -> Response:
    """A page with the one line of ``error``."""
    why = error.reason if isinstance(error, RefusedError) else as_written(error.problem)
    return problem(asked, status, why, hint=error.hint or "")


def download(name: str, data: bytes, type: str = "application/octet-stream") -> Response:  # noqa: A002 - MIME's word
    """A file to keep, under ``name``."""
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Response(data, media_type=type, headers={"Content-Disposition": disposition})


def own_path(path: str, origin: str) -> str:
    """``path`` if it is one of the portal, else the start: what a link says must not lead to another site."""
    parts = urlsplit(path)
    is_own = not parts.scheme and not parts.netloc
    return path if is_own and path.startswith("/") and "\\" not in path and origin else "/"
