"""Requests to the API of one server."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, TypeVar

import msgspec
import requests

from grader import __version__
from grader.api.problems import ErrorDocument, Problem
from grader.client.errors import RefusedError, UnreachableError
from grader.client.event_stream import ServerEvent, server_events

_T = TypeVar("_T")

_CONNECT_SECONDS = 10
_READ_SECONDS = 60
"""Longer than the pause between two signs of life in a stream of events."""

_NOT_READY = {429, 502, 503, 504}
"""Statuses of a server, or a proxy before it, that may answer later."""

_REDIRECTS = range(300, 400)
_ERRORS = 400

MOST_BYTES = 32 * 1024 * 1024
"""The largest answer that is read."""


class _Bearer(requests.auth.AuthBase):
    """The token of each request; as an object, so that no entry of ``~/.netrc`` takes its place."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Connection:
    """Requests to ``server`` with ``token``; texts come in ``language``. Follows no redirect, so no token leaves."""

    def __init__(self, server: str, token: str = "", language: str = "en") -> None:
        self.server = server
        self._session = requests.Session()
        self._session.auth = _Bearer(token)
        self._session.headers.update({"Accept-Language": language, "User-Agent": f"grader/{__version__}"})

    def get(self, path: str, kind: type[_T], query: Mapping[str, str] | None = None) -> _T:
        """The document at ``path``. Raises: ``RefusedError``, ``UnreachableError``."""
        return self._decoded(self._body("GET", path, params=query), kind)

    def text(self, path: str, media: str, query: Mapping[str, str] | None = None) -> str:
        """The text at ``path`` as ``media``. Raises: as ``get``."""
        return self._body("GET", path, params=query, headers={"Accept": media}).decode(errors="replace")

    def post(self, path: str, document: object, kind: type[_T]) -> _T:
        """The answer to ``document``. Raises: as ``get``."""
        headers = {"Content-Type": "application/json"}
        body = msgspec.json.encode(document)
        return self._decoded(self._body("POST", path, data=body, headers=headers), kind)

    def post_files(
        self, path: str, fields: Mapping[str, str], files: Mapping[str, bytes], key: str, kind: type[_T]
    ) -> _T:
        """The answer to a form with ``files`` by name; what has one ``key`` is done once. Raises: as ``get``."""
        parts = [("file", (name, data, "application/octet-stream")) for name, data in files.items()]
        headers = {"Idempotency-Key": key}
        return self._decoded(self._body("POST", path, data=fields, files=parts, headers=headers), kind)

    def delete(self, path: str) -> None:
        """Delete what is at ``path``. Raises: as ``get``."""
        self._body("DELETE", path)

    def events(self, path: str) -> Iterator[ServerEvent]:
        """The events at ``path`` until the server ends. Raises: as ``get``."""
        with self._answer("GET", path, headers={"Accept": "text/event-stream"}) as answer:
            try:
                lines = answer.iter_lines(chunk_size=None)
                yield from server_events(line.decode(errors="replace") for line in lines)
            except requests.RequestException as error:
                raise UnreachableError(self.server, _cause(error)) from error

    def _body(self, method: str, path: str, **options: Any) -> bytes:
        with self._answer(method, path, **options) as answer:
            return self._content(answer)

    def _content(self, answer: requests.Response) -> bytes:
        data = bytearray()
        try:
            for chunk in answer.iter_content(64 * 1024):
                data += chunk
                if len(data) > MOST_BYTES:
                    raise UnreachableError(self.server, "the answer is too large")
        except requests.RequestException as error:
            raise UnreachableError(self.server, _cause(error)) from error
        return bytes(data)

    def _answer(self, method: str, path: str, **options: Any) -> "closing[requests.Response]":
        try:
            answer = self._session.request(
                method,
                f"{self.server}/api/v1{path}",
                timeout=(_CONNECT_SECONDS, _READ_SECONDS),
                allow_redirects=False,
                stream=True,
                **options,
            )
        except requests.RequestException as error:
            raise UnreachableError(self.server, _cause(error)) from error
        if answer.status_code in _NOT_READY:
            answer.close()
            raise UnreachableError(self.server, f"status {answer.status_code}")
        if answer.status_code in _REDIRECTS or answer.status_code >= _ERRORS:
            with closing(answer):
                raise RefusedError(self._problem(answer), answer.status_code)
        return closing(answer)

    def _problem(self, answer: requests.Response) -> Problem:
        if answer.status_code in _REDIRECTS:
            elsewhere = answer.headers.get("Location", "another address")
            return Problem(
                code="redirected",
                message=f"The server sends to {elsewhere}.",
                hint="Log in to the address that it names.",
            )
        try:
            return msgspec.json.decode(self._content(answer), type=ErrorDocument).error
        except msgspec.DecodeError:
            return Problem(
                code="no-api",
                message=f"{self.server} answers with status {answer.status_code} and no reason.",
                hint="Check the address: it may be that of another server.",
            )

    def _decoded(self, data: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.DecodeError as error:
            problem = Problem(
                code="no-api",
                message=f"{self.server} answers with another document than this grader knows: {error}.",
                hint="Check the address, or install the grader of the course's release.",
            )
            raise RefusedError(problem, 200) from error


def _cause(error: Exception) -> str:
    """The innermost cause of ``error`` that has a text, which is the shortest."""
    cause: BaseException = error
    while (inner := cause.__cause__ or cause.__context__) is not None and str(inner):
        cause = inner
    return str(getattr(cause, "strerror", None) or cause)
