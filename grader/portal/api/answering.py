"""From a row of the table to a page of the portal: who may ask, the document in the body, and the answer as JSON."""

import hashlib
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from starlette.responses import Response

from grader.course.refused import RefusedError
from grader.errors import NotFoundError
from grader.model.reason import reason
from grader.portal import answers
from grader.portal.api.route import PREFIX, Route
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.report import json_files

_JSON = "application/json"

_T = TypeVar("_T")

_MOST_DIGITS = 18
"""So many fit into every database's integers."""


def page(route: Route) -> Page:
    """The page that answers ``route``."""
    return Page(
        path=PREFIX + route.path,
        endpoint=partial(answered, route),
        scope=None,  # ``answered`` also distinguishes a missing token from a missing scope
        methods=(route.method,),
        takes_files=route.takes_files,
        rate=route.rate,
    )


def answered(route: Route, asked: Asked) -> Response:
    """The answer of ``route`` to what is ``asked``."""
    refusal = _refusal(route, asked)
    if refusal is not None:
        return refusal
    _check_query(route, asked)
    body = () if route.takes is None else (_body(route.takes, asked),)
    given = route.endpoint(asked, *body)
    if isinstance(given, Response):
        return given
    if route.gives is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return encoded(asked, given, route.status)


def encoded(asked: Asked, document: Any, status: int = HTTPStatus.OK) -> Response:
    """``document`` as JSON with an entity tag; status 304 if the program has it already."""
    body = json_files.dump(document)
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if tag in asked.headers.get("if-none-match", "").replace("W/", "").split(", "):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    return Response(body, status, media_type=_JSON, headers={"ETag": tag})


def _refusal(route: Route, asked: Asked) -> Response | None:
    """The answer to who may not ask this."""
    visitor = asked.visitor
    if route.scopes is None:
        return None
    if not visitor.is_known:
        refusal = answers.problem(asked, HTTPStatus.UNAUTHORIZED, reason("api-no-token"))
        refusal.headers["WWW-Authenticate"] = "Bearer"
        return refusal
    if not route.scopes or visitor.scopes.intersection(route.scopes):
        return None
    if visitor.scopes_of_role.intersection(route.scopes):
        words = tuple(scope.value for scope in route.scopes)
        return answers.problem(asked, HTTPStatus.FORBIDDEN, reason("api-token-scope", scopes=words))
    return answers.problem(asked, HTTPStatus.NOT_FOUND, reason("portal-not-found-why"))


def _check_query(route: Route, asked: Asked) -> None:
    """Raises: ``RefusedError`` for a parameter that is no number where the table asks for one."""
    for query in route.query:
        text = asked.query.get(query.name)
        if query.kind is not int or text is None:
            continue
        if not _is_number(text) or not query.low <= int(text) <= query.high:
            raise RefusedError(reason("api-query-invalid", name=query.name, low=query.low, high=query.high))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def _body(kind: type[_T], asked: Asked) -> _T | None:
    """The document in the body; ``None`` for a form. Raises: ``RefusedError`` if there is none of this kind."""
    if asked.form.files:
        return None
    if asked.headers.get("content-type", _JSON).partition(";")[0].strip().lower() != _JSON:
        raise RefusedError(reason("api-not-json"))
    try:
        return msgspec.json.decode(asked.form.body, type=kind, strict=True)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedError(reason("api-body-invalid", why=str(error)[:200])) from error


def number_in(asked: Asked, name: str) -> int:
    """The number ``name`` in the path. Raises: ``NotFoundError`` for one that no row can have."""
    text = asked.path[name]
    if not _is_number(text):
        msg = f"There is no {name} of this number."
        raise NotFoundError(msg)
    return int(text)
