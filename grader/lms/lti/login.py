"""Begin a login: a course system announces a person, and Grader asks it who that is."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit, urlunsplit

from grader.errors import UserError
from grader.model.text import printable
from grader.store.lti_values import Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """What a course system says when a person comes; ``client_id`` is empty where it says none."""

    issuer: str
    login_hint: str
    client_id: str = ""
    message_hint: str = ""


def announced_by(platforms: Iterable[Platform], announced: Announced) -> Platform:
    """The platform that ``announced`` a person. Raises: ``UserError`` if it is not registered, or not the only one."""
    found = [
        each
        for each in platforms
        if each.issuer == announced.issuer and announced.client_id in {"", each.client_id}
    ]
    if not found or not announced.issuer:
        msg = f"The course system {printable(announced.issuer) or 'that sent you'} is not registered here."
        raise UserError(msg, hint="Ask the operator to run `grader lti register`.")
    if len(found) > 1:
        msg = f"{printable(announced.issuer)} is registered several times, and the launch names no client."
        raise UserError(msg, hint="Ask its administrator to send `client_id` with the login.")
    if not announced.login_hint:
        msg = "The course system sent no login_hint."
        raise UserError(msg, hint="Open the link in the course again.")
    return found[0]


def login_address(platform: Platform, announced: Announced, launch_url: str, state: str, nonce: str) -> str:
    """Where the browser goes: the platform answers to ``launch_url`` with ``state``, and a token with ``nonce``."""
    asked = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": launch_url,
        "state": state,
        "nonce": nonce,
        "login_hint": announced.login_hint,
    }
    if announced.message_hint:
        asked["lti_message_hint"] = announced.message_hint
    scheme, host, path, query, _ = urlsplit(platform.login_url)
    return urlunsplit((scheme, host, path, "&".join(filter(None, (query, urlencode(asked)))), ""))
