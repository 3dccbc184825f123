"""What several launches of a run report alike, once."""

from collections.abc import Iterable
from dataclasses import replace

from grader.model.diagnostic import Diagnostic


def merged(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each finding once, in the words of its first occurrence; its threads are the most of one launch."""
    found: dict[tuple[object, ...], Diagnostic] = {}
    for new in diagnostics:
        known = found.get(new.identity)
        found[new.identity] = new if known is None else _joined(known, new)
    return list(found.values())


def _joined(known: Diagnostic, new: Diagnostic) -> Diagnostic:
    return replace(known, count=known.count + new.count, threads=max(known.threads, new.threads))
