"""The headers of every answer: a strict policy with a fresh nonce, and no guessing, framing or caching."""

import secrets
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action {targets}; base-uri 'none'; frame-ancestors {frames}; "
    "require-trusted-types-for 'script'; trusted-types htmx"
)

_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
}

_HSTS = "max-age=31536000"

POLICY = "Content-Security-Policy"
"""An answer that has this header keeps its own; a page for a frame of another site also has no ``X-Frame-Options``."""


def policy(nonce: str, *, targets: str = "'self'", frames: str = "'none'") -> str:
    """The policy of an answer with ``nonce``: its forms lead to ``targets``, and ``frames`` may show it."""
    return _POLICY.format(nonce=nonce, targets=targets, frames=frames)


class SecurityHeaders:
    """Adds the headers that an answer does not have. ``state["nonce"]`` of the request is the nonce of its policy."""

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        self._app = app
        self._headers = {**_HEADERS, **({"Strict-Transport-Security": _HSTS} if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                frames = "frame-ancestors" in headers.get(POLICY, "")
                headers.setdefault(POLICY, policy(nonce))
                for name, value in self._headers.items():
                    if not (frames and name == "X-Frame-Options"):
                        headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)
