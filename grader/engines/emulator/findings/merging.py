"""Merge equal findings of several launches."""

from collections.abc import Iterable
from dataclasses import replace

from grader.model.diagnostic import Diagnostic


def merged(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each finding once, with the text and the threads of the occurrence with the most threads."""
    found: dict[tuple[object, ...], Diagnostic] = {}
    for new in diagnostics:
        known = found.get(new.identity)
        found[new.identity] = new if known is None else _joined(known, new)
    return list(found.values())


def _joined(known: Diagnostic, new: Diagnostic) -> Diagnostic:
    larger = new if new.threads > known.threads else known
    return replace(larger, count=known.count + new.count)
