"""Take a reason from a worker that ran a student's code: every value in it may be forged."""

from grader.compile.messages import clean
from grader.messages.catalogue import CATALOGUE
from grader.messages.rendering import render
from grader.model.location import SourceLocation
from grader.model.reason import Param, Reason, as_written

MAX_REASON = 2000
"""Maximum length of a text in a reason, and of the whole reason in English."""

_MAX_DEPTH = 4
_MAX_ITEMS = 64
_FORGED = "the worker's answer cannot be read"


def sanitize_reason(said: Reason, files: set[str], limit: int = MAX_REASON) -> Reason:
    """``said`` with printable, bounded texts, and locations in ``files`` only.

    A reason that the catalogue lacks, with other parameters than it has, or too long in English becomes text.
    """
    kept = _sanitized(said, files, _MAX_DEPTH)
    text = _text(kept) if kept is not None else _FORGED
    cleaned = clean(text, limit)
    return kept if kept is not None and cleaned == text else as_written(cleaned)


def _sanitized(said: Reason, files: set[str], depth: int) -> Reason | None:
    known = CATALOGUE.get(said.code)
    if known is None or depth == 0 or known.params != set(said.params):
        return None
    params = {name: _param(value, files, depth) for name, value in said.params.items()}
    if known.by and not isinstance(params[known.by], int):
        return None
    return Reason(code=said.code, params=params, location=_location(said.location, files))


def _param(value: Param, files: set[str], depth: int) -> Param:
    match value:
        case str():
            return clean(value, MAX_REASON)
        case Reason():
            return _sanitized(value, files, depth - 1) or as_written(_FORGED)
        case tuple():
            return tuple(
                each if isinstance(each, int | float) else _item(each, files, depth)
                for each in value[:_MAX_ITEMS]
            )
        case _:
            return value


def _item(value: str | Reason, files: set[str], depth: int) -> str | Reason:
    if isinstance(value, str):
        return clean(value, MAX_REASON)
    return _sanitized(value, files, depth - 1) or as_written(_FORGED)


def _location(location: SourceLocation | None, files: set[str]) -> SourceLocation | None:
    return location if location is not None and location.file in files else None


def _text(said: Reason) -> str:
    """``said`` in English; a parameter of the wrong type, such as text where a number belongs, makes it forged."""
    try:
        return render(said)
    except (TypeError, ValueError):
        return _FORGED
