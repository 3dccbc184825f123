"""Take a reason from a worker that ran a student's code: every value in it may be forged."""

from dataclasses import replace

from grader.compile.messages import INNER_QUOTES, clean
from grader.messages.catalogue import CATALOGUE, SAID_BY_BUILDS
from grader.messages.rendering import render
from grader.model.location import SourceLocation
from grader.model.reason import AS_WRITTEN, Item, Param, Reason, as_written, reason

MAX_REASON = 2000
"""Maximum length of a text in a reason, and of the whole reason in English."""

_MAX_DEPTH = 4
_MAX_DEPTH_OF_RUNS = 16
"""A fault holds a finding, which holds threads, which hold their number."""
_MAX_ITEMS = 64
_UNREADABLE = reason("worker-answer-unreadable")


def sanitize_reason(said: Reason, files: set[str], limit: int = MAX_REASON) -> Reason:
    """``said`` with printable, bounded texts, and locations in ``files`` only.

    A reason that no build gives, or with other parameters than the catalogue has, is unreadable. One that is too long
    in English becomes text.
    """
    kept = _sanitized(said, files, _MAX_DEPTH) or _UNREADABLE
    try:
        text = render(kept)
    except (TypeError, ValueError, OverflowError):  # a number that cannot be shown
        return _UNREADABLE
    cleaned = clean(text, limit)
    return kept if cleaned == text else as_written(cleaned)


def is_readable(said: Reason, depth: int = _MAX_DEPTH_OF_RUNS) -> bool:
    """Whether the catalogue has ``said`` and the reasons in it, and they can be shown."""
    if depth == 0 or said.code not in CATALOGUE or not CATALOGUE[said.code].accepts(said.params):
        return False
    items = [
        item for value in said.params.values() for item in (value if isinstance(value, tuple) else (value,))
    ]
    if not all(is_readable(item, depth - 1) for item in items if isinstance(item, Reason)):
        return False
    try:
        return len(render(said)) <= MAX_REASON
    except (TypeError, ValueError, OverflowError):  # a number that cannot be shown
        return False


def quoted_as_compilers(said: Reason) -> Reason:
    """``said`` with every text that no catalogue has as a quotation of the compiler."""
    if said.code == AS_WRITTEN:
        return reason("compiler-words", words=clean(str(said.params["text"])).translate(INNER_QUOTES))
    nested = {
        name: quoted_as_compilers(value) if isinstance(value, Reason) else value
        for name, value in said.params.items()
    }
    return replace(said, params=nested)


def _sanitized(said: Reason, files: set[str], depth: int) -> Reason | None:
    if depth == 0 or said.code not in SAID_BY_BUILDS or not CATALOGUE[said.code].accepts(said.params):
        return None
    params = {name: _param(value, files, depth) for name, value in said.params.items()}
    return Reason(code=said.code, params=params, location=_location(said.location, files))


def _param(value: Param, files: set[str], depth: int) -> Param:
    match value:
        case None:
            return None
        case tuple():
            return tuple(_item(item, files, depth) for item in value[:_MAX_ITEMS])
        case _:
            return _item(value, files, depth)


def _item(value: Item, files: set[str], depth: int) -> Item:
    match value:
        case str():
            return clean(value, MAX_REASON)
        case Reason():
            return _sanitized(value, files, depth - 1) or _UNREADABLE
        case _:
            return value


def _location(location: SourceLocation | None, files: set[str]) -> SourceLocation | None:
    return location if location is not None and location.file in files else None
