"""What a visitor asks for: the visitor, the path, and the fields and files of a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.portal.cookies import Cookies
from grader.portal.page import Client
from grader.portal.server import Server
from grader.portal.visitor import Visitor

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """A file that was sent, under the name that the browser gave it."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The fields and files of a form, in their order. ``body`` is what was sent if that was no form."""

    fields: Sequence[tuple[str, str]] = ()
    files: Sequence[tuple[str, Upload]] = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request.

    ``path`` and ``query`` have the parameters of the address, ``here`` is its path, ``query_text`` its whole query.
    ``nonce`` is that of the answer's policy. ``is_fragment``: htmx asks for a part of a page. ``address`` is the
    client's, ``agent`` what it calls itself, ``headers`` are in lower case.
    """

    server: Server
    visitor: Visitor
    here: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    now: datetime
    nonce: str
    query_text: str = ""
    address: str = ""
    cookies: Cookies = field(default_factory=Cookies)
    headers: Mapping[str, str] = field(default_factory=dict)
    form: Form = field(default_factory=Form)

    @property
    def workspace(self) -> Workspace:
        """The course."""
        return self.server.workspace

    @property
    def client(self) -> Client:
        """What asks, which decides the form of a refusal."""
        return Client.at(self.here)

    @property
    def is_fragment(self) -> bool:
        """Whether htmx asks, which puts the answer into a page."""
        return self.headers.get("hx-request") == "true"

    @property
    def agent(self) -> str:
        """What the client calls itself."""
        return self.headers.get("user-agent", "")

    def text(self, name: str, max: int = 200, *, default: str | None = None) -> str:  # noqa: A002 - says what it is
        """The field ``name`` without blanks around it.

        Raises: ``UserError`` if it is longer than ``max`` characters, or missing or empty without a ``default``.
        """
        value = next((value for key, value in self.form.fields if key == name), "").strip()
        if not value and default is None:
            msg = f"The field {name} is empty."
            raise UserError(msg, hint="Fill it in.")
        if len(value) > max:
            msg = f"The field {name} has {len(value)} characters, and {max} is the most."
            raise UserError(msg)
        return value or (default or "")

    def texts(self, name: str) -> tuple[str, ...]:
        """Every value of the field ``name``, such as those of ticked boxes."""
        return tuple(value.strip() for key, value in self.form.fields if key == name and value.strip())

    def choice(self, name: str, choices: Mapping[str, T]) -> T:
        """What the field ``name`` chooses. Raises: ``UserError`` for another word."""
        value = self.text(name)
        if value not in choices:
            msg = f"The field {name} must be one of {', '.join(choices)}."
            raise UserError(msg)
        return choices[value]

    def number(self, name: str, low: int, high: int) -> int:
        """The whole number in the field ``name``. Raises: ``UserError`` unless it is from ``low`` to ``high``."""
        value = self.text(name)
        if not value.isascii() or not value.removeprefix("-").isdigit() or not low <= int(value) <= high:
            msg = f"The field {name} must be a whole number from {low} to {high}."
            raise UserError(msg)
        return int(value)

    def ticked(self, name: str) -> bool:
        """Whether the box ``name`` is ticked."""
        return any(key == name and value for key, value in self.form.fields)

    def files(self, name: str) -> tuple[Upload, ...]:
        """The files of the field ``name``."""
        return tuple(upload for key, upload in self.form.files if key == name)
