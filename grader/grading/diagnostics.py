"""Merge the diagnostics of many runs into one short list."""

import dataclasses
from collections.abc import Iterable

from grader.messages import render
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity

MAX_FINDINGS = 50
"""Maximum findings per kernel; the most severe come first."""

_SPEED = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.DIVERGENCE,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.OCCUPANCY,
}
_RACES = {DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE}


def merged(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Merge equal findings and add up their counts; keep the text of the most severe one with the most threads.

    ``threads`` comes from a single run, because another case runs the same threads of the same kernel.
    """
    found: dict[tuple[object, ...], Diagnostic] = {}
    for new in sorted(diagnostics, key=lambda d: (d.severity.rank, -d.threads)):
        known = found.get(new.identity)
        found[new.identity] = dataclasses.replace(known, count=known.count + new.count) if known else new
    ordered = sorted(found.values(), key=lambda d: d.order)
    return tuple(ordered[:MAX_FINDINGS])


def about_speed(diagnostic: Diagnostic) -> bool:
    """Whether the finding is about speed. Such findings are noise on cases of a few elements."""
    return diagnostic.kind in _SPEED


def race_reason(diagnostics: Iterable[Diagnostic]) -> str | None:
    """The first race that is an error, as the reason for a wrong verdict; ``None`` without one."""
    for diagnostic in diagnostics:
        if diagnostic.kind in _RACES and diagnostic.severity is Severity.ERROR:
            return f"{diagnostic.kind}: {render(diagnostic.message)}"
    return None
