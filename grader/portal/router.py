"""The way of a request to its page: visitor, scope, origin, rate, form; and of an error to its answer."""

import traceback
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from grader.config.settings import MIB
from grader.course.usage import take
from grader.errors import NotFoundError, UnavailableError, UserError
from grader.logs import Event, log
from grader.model.reason import reason
from grader.portal import answers
from grader.portal.asked import Asked
from grader.portal.body import BodyTooLargeError, capped, read_form
from grader.portal.cookies import Cookies
from grader.portal.origin import SAFE_METHODS, is_own
from grader.portal.page import FORM_BYTES, Client, Page
from grader.portal.server import Server
from grader.portal.visitor import Visitor, visitor_in_browser, visitor_with_token

_STATUSES: Mapping[type[UserError], int] = {
    BodyTooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    NotFoundError: HTTPStatus.NOT_FOUND,
    UnavailableError: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""The status of each kind of error; that of others is 400."""


def status_of(error: UserError) -> int:
    """The status that says ``error``."""
    return next(
        (status for kind, status in _STATUSES.items() if isinstance(error, kind)), HTTPStatus.BAD_REQUEST
    )


def route(page: Page, server: Server) -> Route:
    """The route of ``page``."""
    return Route(page.path, PageApp(page, server), methods=list(page.methods))


class PageApp:
    """Answers the requests for one page."""

    def __init__(self, page: Page, server: Server) -> None:
        self._page = page
        self._server = server
        self._limit = server.settings.upload_mib * MIB if page.takes_files else FORM_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        scope["state"]["page"] = self._page.path
        request = Request(scope, capped(scope, receive, self._limit))
        response = await self._answer(request)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        asked = await run_in_threadpool(asked_for, request, self._server)
        refusal = self._refusal(asked, request.method)
        if refusal is not None:
            return refusal
        try:
            if self._page.rate is not None:
                visitor = asked.visitor.person or asked.address
                wait = await run_in_threadpool(take, asked.workspace, self._page.rate, visitor)
                if wait:
                    return answers.too_often(asked, wait)
            if request.method not in SAFE_METHODS:
                form = await read_form(request, self._limit)
                asked = replace(asked, form=form)
            return await run_in_threadpool(self._page.endpoint, asked)
        except UserError as error:
            return answers.refused(asked, error, status_of(error))
        except HTTPException as error:
            return answers.problem(asked, error.status_code, reason("portal-form-damaged"))
        except Exception as error:  # noqa: BLE001 - a page that fails must not end in silence
            return fault(asked, self._page.path, error)

    def _refusal(self, asked: Asked, method: str) -> Response | None:
        """The answer to a visitor who may not ask this."""
        page, visitor = self._page, asked.visitor
        if not visitor.may(page.scope):
            if page.client is Client.BROWSER and not visitor.is_known:
                then = f"?then={quote(asked.here)}" if method in SAFE_METHODS and asked.here != "/" else ""
                return answers.redirect(asked, f"/sign-in{then}")
            return answers.problem(asked, HTTPStatus.NOT_FOUND, reason("portal-not-found-why"))
        if (
            method not in SAFE_METHODS
            and not page.cross_site
            and not is_own(asked.headers, self._server.origin)
        ):
            return answers.problem(asked, HTTPStatus.FORBIDDEN, reason("portal-other-site"))
        return None


def asked_for(request: Request, server: Server) -> Asked:
    """What ``request`` asks, without its form."""
    cookies = server.jar.read(request.cookies)
    headers: Mapping[str, str] = {name.lower(): value for name, value in request.headers.items()}
    return Asked(
        server=server,
        visitor=_visitor(request.url.path, server, cookies, headers),
        here=request.url.path,
        path=dict(request.path_params),
        query=dict(request.query_params),
        now=datetime.now(UTC),
        query_text=request.url.query,
        nonce=request.state.nonce,
        address=request.client.host if request.client else "",
        cookies=cookies,
        headers=headers,
    )


def _visitor(address: str, server: Server, cookies: Cookies, headers: Mapping[str, str]) -> Visitor:
    accepted = headers.get("accept-language", "")
    if Client.at(address) is Client.PROGRAM:
        return visitor_with_token(server.workspace, headers.get("authorization", ""), accepted)
    return visitor_in_browser(server.workspace, cookies, accepted)


def fault(asked: Asked, page: str, error: Exception) -> Response:
    """The answer where the server failed; the log has the cause."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    log(Event.PAGE_FAILED, page=page, error=repr(error), where=f"{last.filename}:{last.lineno}")
    return answers.problem(asked, HTTPStatus.INTERNAL_SERVER_ERROR, reason("portal-fault-why"))


def unknown(request: Request, server: Server) -> Response:
    """The answer to an address without a page."""
    asked = asked_for(request, server)
    return answers.problem(asked, HTTPStatus.NOT_FOUND, reason("portal-not-found-why"))
