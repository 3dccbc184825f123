"""Answers to a course system: they may be shown in its frame, and their forms may lead back to it."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from http.cookies import CookieError, SimpleCookie

from starlette.responses import Response

from grader.course.accounts.secrets import digest
from grader.course.lti.launching import LOGIN_LIFE, frame_origins
from grader.errors import UserError
from grader.portal.answers import refused
from grader.portal.asked import Asked
from grader.portal.middleware.headers import POLICY, policy

Endpoint = Callable[[Asked], Response]

_FRAMES = frozenset({"iframe", "frame", "embed", "object"})

_ATTRIBUTES = "Path=/lti; Secure; HttpOnly; SameSite=None; Partitioned"
"""Older releases of Python know no partitioned cookie, so the header is written here."""


def in_course_system(endpoint: Endpoint) -> Endpoint:
    """``endpoint`` with the policy of a page in a course system; its refusals too, which else no frame would show."""

    @wraps(endpoint)
    def answered(asked: Asked) -> Response:
        # The address of a form is no page to come back to.
        shown = replace(asked, here="/")
        try:
            answer = endpoint(shown)
        except UserError as error:
            answer = refused(shown, error)
        systems = " ".join(frame_origins(asked.workspace))
        if POLICY not in answer.headers:
            answer.headers[POLICY] = policy(
                asked.nonce, targets=f"'self' {systems}", frames=f"'self' {systems}"
            )
        return answer

    return answered


def is_in_frame(asked: Asked) -> bool:
    """Whether the answer is shown in a frame, where browsers keep no session of ours."""
    return asked.headers.get("sec-fetch-dest") in _FRAMES


def keep_state(answer: Response, state: str) -> None:
    """Let the browser bring ``state`` back from the course system, also inside its frame.

    The form that comes back is another site's, so the cookie is for any site; a partition keeps it to this one.
    """
    answer.headers.append(
        "Set-Cookie",
        f"{_name(state)}={state}; Max-Age={LOGIN_LIFE.seconds}; {_ATTRIBUTES}",
    )


def kept_state(asked: Asked, state: str) -> str:
    """The state of this login that the browser kept; empty if it kept none."""
    try:
        found = SimpleCookie(asked.headers.get("cookie", "")).get(_name(state))
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _name(state: str) -> str:
    """A cookie for each login: a page of a course may open several at once."""
    return f"grader-lti-{digest(state)[:16]}"
