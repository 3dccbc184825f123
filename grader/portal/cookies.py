"""The cookies of a browser: its session, its language, and a sign-in that is under way."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from grader.config.portal_settings import PortalSettings

_DAY = 24 * 60 * 60
_YEAR = 365 * _DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Cookies:
    """What the browser sent; empty where it sent nothing."""

    session: str = ""
    language: str = ""
    sign_in: str = ""


@dataclass(frozen=True, slots=True)
class CookieJar:
    """Reads and writes cookies for the portal at one address."""

    settings: PortalSettings

    @property
    def is_secure(self) -> bool:
        """Whether the portal is reached by HTTPS."""
        return self.settings.url.startswith("https:")

    def read(self, cookies: Mapping[str, str]) -> Cookies:
        """The cookies that belong to the portal."""
        return Cookies(
            session=cookies.get(self._name("session"), ""),
            language=cookies.get(self._name("language"), ""),
            sign_in=cookies.get(self._name("sign-in"), ""),
        )

    def keep_session(self, response: Response, secret: str) -> None:
        """Sign the browser in."""
        self._set(response, "session", secret, self.settings.session_days * _DAY)

    def keep_language(self, response: Response, language: str) -> None:
        """Keep the language of a visitor."""
        self._set(response, "language", language, _YEAR)

    def keep_sign_in(self, response: Response, state: str, seconds: int) -> None:
        """Keep the state of a sign-in that another service goes on with; an empty one removes it."""
        self._set(response, "sign-in", state, seconds if state else 0)

    def end_session(self, response: Response) -> None:
        """Sign the browser out."""
        self._set(response, "session", "", 0)

    def _name(self, name: str) -> str:
        # The prefix makes browsers refuse a cookie of the same name from another host.
        return f"__Host-grader-{name}" if self.is_secure else f"grader-{name}"

    def _set(self, response: Response, name: str, value: str, seconds: int) -> None:
        response.set_cookie(
            self._name(name),
            value,
            max_age=seconds,
            path="/",
            secure=self.is_secure,
            httponly=True,
            samesite="lax",
        )
