"""A row of the table of the API: what it takes, what it gives, and who may ask."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from grader.course.usage import Rate
from grader.policy.access import Scope
from grader.portal.page import PROGRAMS

PREFIX = f"{PROGRAMS}v1"
"""Before the path of every route."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """An answer that is no JSON document: its types, the first of which is given unless another is accepted."""

    types: tuple[str, ...]
    schema: type | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A parameter of the address: text, or with ``kind`` a number from ``low`` to ``high``."""

    name: str
    meaning: str
    kind: type = str
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation. The endpoint's name is its id, the first line of its docstring is its summary.

    ``scopes``: any of these is enough; ``None``: no sign-in is needed. ``takes`` is the document that the endpoint gets
    after what is asked; ``None``: it gets none. ``gives`` is the document that it returns; ``None``: the answer has no
    body. ``takes_files``: the body may also be a form with files.
    """

    path: str
    endpoint: Callable[..., Any]
    scopes: tuple[Scope, ...] | None
    gives: type | Media | None
    takes: type | None = None
    method: str = "GET"
    status: int = 200
    query: tuple[Query, ...] = ()
    takes_files: bool = False
    rate: Rate | None = None

    @property
    def name(self) -> str:
        """The id of the operation."""
        return str(self.endpoint.__name__)

    @property
    def summary(self) -> str:
        """The operation in one line."""
        return (self.endpoint.__doc__ or "").partition("\n")[0].replace("``", "`")
