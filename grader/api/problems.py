"""How the API says that it refuses a request."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a request is refused. ``code`` is stable; ``message`` and ``hint`` are in the reader's language."""

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorDocument:
    """The body of every answer with a status from 400 on."""

    error: Problem
