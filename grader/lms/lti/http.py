"""HTTP to a platform: every request ends in time, and goes where it was sent."""

import threading
import time
from typing import Any

import requests
from pylti1p3.registration import TKeySet

from grader.lms.lti.port import LmsError

_TIMEOUT = (5.0, 10.0)
"""Seconds until a connection, and until the next bytes of an answer."""

_KEYS_LIFE = 600.0
"""Seconds that a platform's public keys are remembered."""

_KEYS_PAUSE = 30.0
"""Seconds between two requests for keys because one is unknown: forged tokens must not become requests."""


class TimedSession(requests.Session):
    """A session of requests with a timeout, which follows no redirect: a token must not go elsewhere."""

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        """See ``requests.Session.request``."""
        options.setdefault("timeout", _TIMEOUT)
        options["allow_redirects"] = False
        return super().request(*arguments, **options)


class KeySets:
    """The public keys of platforms by their address, remembered for a while. Threads may share it."""

    def __init__(self, session: requests.Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, TKeySet]] = {}

    def get(self, url: str, kid: object) -> TKeySet:
        """The keys at ``url``; fetched again if ``kid`` is not among them. Raises: ``LmsError``."""
        with self._lock:
            at, keys = self._known.get(url, (float("-inf"), {"keys": []}))
            age = time.monotonic() - at
            has_key = any(key.get("kid") == kid for key in keys["keys"])
            if age < (_KEYS_LIFE if has_key else _KEYS_PAUSE):
                return keys
            keys = self._fetch(url)
            self._known[url] = (time.monotonic(), keys)
            return keys

    def _fetch(self, url: str) -> TKeySet:
        try:
            answer = self._session.get(url)
            answer.raise_for_status()
            found = answer.json()
        except (requests.RequestException, ValueError) as error:
            msg = f"The keys of the course system cannot be read from {url}: {brief(error)}."
            raise LmsError(msg) from error
        keys = found.get("keys") if isinstance(found, dict) else None
        if not isinstance(keys, list) or not all(isinstance(key, dict) for key in keys):
            msg = f"There is no key set at {url}."
            raise LmsError(msg)
        return {"keys": keys}


def brief(error: Exception) -> str:
    """The kind of an ``error`` of HTTP in a few words, without addresses and memory locations."""
    response = getattr(error, "response", None)
    if response is not None:
        return f"HTTP {response.status_code}"
    for kind, words in _KINDS:
        if isinstance(error, kind):
            return words
    return type(error).__name__


_KINDS = (
    (requests.Timeout, "no answer in time"),
    (requests.exceptions.SSLError, "its certificate is not valid"),
    (requests.ConnectionError, "no connection"),
    (ValueError, "the answer is no JSON"),
)
"""Errors of requests, the narrower first."""
