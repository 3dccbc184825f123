"""The API about oneself: who the token is for, and one's tokens."""

from grader.api.sign_in import (
    DeviceClaim,
    DeviceCode,
    DeviceRequest,
    IssuedToken,
    Me,
    NewToken,
    Tokens,
)
from grader.course.accounts import device_links, tokens
from grader.course.accounts.token_document import token_document
from grader.course.rules import course_of
from grader.errors import NotFoundError
from grader.policy.access import Scope
from grader.portal.api.answering import number_in
from grader.portal.api.route import Route
from grader.portal.asked import Asked
from grader.portal.rates import DEVICE_POLL, SIGN_IN


def me(asked: Asked) -> Me:
    """The person that the token acts for, and what it may do."""
    visitor = asked.visitor
    return Me(
        person=visitor.person,
        name=visitor.name,
        role=visitor.role or "",
        language=visitor.language,
        scopes=tuple(sorted(visitor.scopes)),
        course=course_of(asked.workspace).title,
    )


def list_tokens(asked: Asked) -> Tokens:
    """Your tokens, the newest first, without their secrets."""
    found = tokens.listed(asked.workspace, asked.visitor.person)
    return Tokens(tokens=tuple(map(token_document, found)))


def create_token(asked: Asked, wanted: NewToken) -> IssuedToken:
    """Make a token. It may have no scope that the token of this request lacks."""
    issued = tokens.issue(
        asked.workspace,
        asked.visitor.person,
        wanted.label,
        within=asked.visitor.scopes,
        scopes=wanted.scopes,
        days=wanted.days,
    )
    return IssuedToken(token=token_document(issued.token), secret=issued.secret)


def revoke_token(asked: Asked) -> None:
    """Revoke one of your tokens."""
    tokens.revoke(asked.workspace, asked.visitor.person, number_in(asked, "token"))


def revoke_current_token(asked: Asked) -> None:
    """Revoke the token of this request."""
    token = asked.visitor.token
    if token is None:
        msg = "This request has no token."
        raise NotFoundError(msg)
    tokens.revoke(asked.workspace, asked.visitor.person, token)


def start_device(asked: Asked, wanted: DeviceRequest) -> DeviceCode:
    """Ask for a token: your user types the code at the link."""
    started = device_links.start(asked.workspace, wanted.label)
    return DeviceCode(
        device_code=started.secret,
        user_code=started.code,
        link=f"{asked.server.settings.url.rstrip('/')}/device",
        interval=device_links.INTERVAL_SECONDS,
        expires_in=int(device_links.LIFE.total_seconds()),
    )


def claim_device(asked: Asked, wanted: DeviceClaim) -> IssuedToken:
    """Get the token once your user has confirmed the code."""
    issued = device_links.claim(asked.workspace, wanted.device_code)
    return IssuedToken(token=token_document(issued.token), secret=issued.secret)


_SELF = (Scope.SELF,)

ROUTES = (
    Route(path="/me", endpoint=me, scopes=(), gives=Me),
    Route(path="/tokens", endpoint=list_tokens, scopes=_SELF, gives=Tokens),
    Route(
        path="/tokens",
        endpoint=create_token,
        scopes=_SELF,
        method="POST",
        takes=NewToken,
        gives=IssuedToken,
        status=201,
    ),
    Route(
        path="/tokens/current",
        endpoint=revoke_current_token,
        scopes=(),
        method="DELETE",
        gives=None,
        status=204,
    ),
    Route(
        path="/tokens/{token}", endpoint=revoke_token, scopes=_SELF, method="DELETE", gives=None, status=204
    ),
    Route(
        path="/device",
        endpoint=start_device,
        scopes=None,
        method="POST",
        takes=DeviceRequest,
        gives=DeviceCode,
        status=201,
        rate=SIGN_IN,
    ),
    Route(
        path="/device/token",
        endpoint=claim_device,
        scopes=None,
        method="POST",
        takes=DeviceClaim,
        gives=IssuedToken,
        rate=DEVICE_POLL,
    ),
)
