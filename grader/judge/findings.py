"""Findings of compilers and engines: merged into a short list, and the one that decides a verdict."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason

MAX_FINDINGS = 50
"""Maximum findings per kernel that public cases show, and as many that only hidden cases show; the most severe ones.

They are counted apart, so that a finding of a hidden case takes no place of one that a student reads.
"""

_SPEED = {
    DiagnosticKind.UNCOALESCED,
    DiagnosticKind.BANK_CONFLICT,
    DiagnosticKind.DIVERGENCE,
    DiagnosticKind.ATOMIC_CONTENTION,
    DiagnosticKind.OCCUPANCY,
}
_RACES = {DiagnosticKind.SHARED_RACE, DiagnosticKind.GLOBAL_RACE}
_NO_CAUSE = _SPEED | {
    DiagnosticKind.COMPILER,
    DiagnosticKind.LAUNCH_DIRECTIVE,
    DiagnosticKind.HOST_CODE_IGNORED,
    DiagnosticKind.PARAMETERS,
    DiagnosticKind.HOST_LAUNCH,
    DiagnosticKind.CLOCK_READING,
    DiagnosticKind.DEVICE_PROBE,
    DiagnosticKind.ORDER_DEPENDENCE,
    DiagnosticKind.LEAK,
    DiagnosticKind.SLOW_COPY,
}
"""Findings that make no result wrong, or that only repeat that it is wrong."""

_ENDLESS = {DiagnosticKind.ENDLESS_LOOP, DiagnosticKind.ENDLESS_WAIT}


def merged(diagnostics: Iterable[Diagnostic], public: Collection[str]) -> tuple[Diagnostic, ...]:
    """Merge equal findings: keep the text of the most severe one with the most lines, and add up their counts.

    If a case in ``public`` shows a finding, hidden cases add nothing to it: the text, the count and the case stay those
    of public cases. ``threads`` comes from a single run, because another case runs the same threads of the same kernel.
    """
    found: dict[tuple[object, ...], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        found.setdefault(diagnostic.identity, []).append(diagnostic)
    groups = _by_mistake(found.values())
    ordered = sorted((_merge(equal, public) for equal in groups), key=lambda d: d.order)
    seen = [each for each in ordered if _is_public(each, public)]
    unseen = [each for each in ordered if not _is_public(each, public)]
    return tuple(sorted([*seen[:MAX_FINDINGS], *unseen[:MAX_FINDINGS]], key=lambda d: d.order))


def _by_mistake(found: Iterable[list[Diagnostic]]) -> list[list[Diagnostic]]:
    """``found`` with exchanges within a warp together if they share lines: not every case makes all of them."""
    groups: list[list[Diagnostic]] = []
    for equal in found:
        if equal[0].kind is not DiagnosticKind.LANE_HAZARD:
            groups.append(equal)
            continue
        touching = [group for group in groups if _is_one_mistake(group, equal)]
        groups = [group for group in groups if group not in touching]
        groups.append([*(each for group in touching for each in group), *equal])
    return groups


def _is_one_mistake(group: Sequence[Diagnostic], equal: Sequence[Diagnostic]) -> bool:
    return group[0].kernel == equal[0].kernel and any(each.shares_cause(equal[0]) for each in group)


def _merge(equal: Sequence[Diagnostic], public: Collection[str]) -> Diagnostic:
    shown = [each for each in equal if _is_public(each, public)] or equal
    kept = min(shown, key=lambda each: (each.severity.rank, -len(each.lines), -each.threads))
    return replace(kept, count=sum(each.count for each in shown))


def _is_public(diagnostic: Diagnostic, public: Collection[str]) -> bool:
    return diagnostic.case is None or diagnostic.case in public


def about_speed(diagnostic: Diagnostic) -> bool:
    """Whether the finding is about speed. Such findings are noise on cases of a few elements."""
    return diagnostic.kind in _SPEED


def is_endless(diagnostic: Diagnostic) -> bool:
    """Whether the kernel does not end. It may get another verdict than a time-out, but no other case would end."""
    return diagnostic.kind in _ENDLESS


def decisive_race(diagnostics: Iterable[Diagnostic]) -> Reason | None:
    """The first race that is an error, as the reason for a wrong verdict; ``None`` without one."""
    races = (each for each in diagnostics if each.kind in _RACES and each.severity is Severity.ERROR)
    return next(map(as_reason, races), None)


def buffers_read_first(diagnostics: Iterable[Diagnostic]) -> set[str]:
    """The buffers of which an element was read before anything wrote it."""
    subjects = (
        each.message.params.get("subject")
        for each in diagnostics
        if each.kind is DiagnosticKind.UNINITIALISED
    )
    return {
        str(each.params["name"]) for each in subjects if isinstance(each, Reason) and each.code == "buffer"
    }


def use_of_unwritten_memory(diagnostics: Iterable[Diagnostic], public: Collection[str]) -> Reason | None:
    """Why a kernel may do anything: it depends on shared or local memory that nothing has written.

    The line is that of the read, if a case in ``public`` shows it.
    """
    found = [each for each in diagnostics if each.kind is DiagnosticKind.UNINITIALISED and each.related]
    if not found:
        return None
    shown = next((each for each in found if _is_public(each, public)), None)
    location = SourceLocation(file=shown.file, line=shown.line) if shown else SourceLocation()
    return reason("depends-on-unwritten-memory", location=location)


def most_severe_finding(diagnostics: Iterable[Diagnostic], case: str) -> Diagnostic | None:
    """The most severe finding in ``case`` that can make a kernel wrong; ``None`` if there is none."""
    causes = (
        each
        for each in diagnostics
        if each.case == case and each.kind not in _NO_CAUSE and each.severity is not Severity.NOTE
    )
    return min(causes, key=lambda each: each.order, default=None)


def as_reason(found: Diagnostic) -> Reason:
    """A finding as the reason for a verdict: where it is, what happened, and how to fix it."""
    if found.file is None and found.line is None:
        if found.advice is None:
            return found.message
        return reason("finding-to-fix", case=found.case, message=found.message, advice=found.advice)
    location = SourceLocation(file=found.file, line=found.line)
    if found.advice is None:
        return reason("finding-at-line", location=location, case=found.case, message=found.message)
    return reason(
        "finding-at-line-to-fix",
        location=location,
        case=found.case,
        message=found.message,
        advice=found.advice,
    )
