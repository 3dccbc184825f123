"""Diagnostics of many runs as one list a person can read."""

import dataclasses
from collections.abc import Iterable

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity

MOST = 50
"""Longest list kept per kernel; the most_severe come first."""

_SPEED = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.DIVERGENCE,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.OCCUPANCY,
}
_RACES = {DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE}


def merged(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each finding once, in the words of that of the most_severe that had the most threads, with the counts added up.

    Its ``threads`` are those of that one run: those of another case are the same threads of the same kernel.
    """
    found: dict[tuple[object, ...], Diagnostic] = {}
    for new in sorted(diagnostics, key=lambda d: (d.severity.rank, -d.threads)):
        known = found.get(new.identity)
        found[new.identity] = dataclasses.replace(known, count=known.count + new.count) if known else new
    ordered = sorted(found.values(), key=lambda d: d.order)
    return tuple(ordered[:MOST])


def about_speed(diagnostic: Diagnostic) -> bool:
    """Whether it tells where time goes: worth saying of a case of some size, noise on a ragged handful of elements."""
    return diagnostic.kind in _SPEED


def race_reason(diagnostics: Iterable[Diagnostic]) -> str | None:
    """Why a right-looking output must not count: the first race that is an error, if there is one."""
    for diagnostic in diagnostics:
        if diagnostic.kind in _RACES and diagnostic.severity is Severity.ERROR:
            return f"{diagnostic.kind}: {diagnostic.message}"
    return None
