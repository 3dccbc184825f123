"""Turn the events of a launch into diagnostics."""

import functools
from collections.abc import Sequence
from dataclasses import replace

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.findings import lane_hazards
from grader.engines.emulator.findings.convergence import CONVERGENCE
from grader.engines.emulator.findings.event import Event, count_threads
from grader.engines.emulator.findings.heap import HEAP
from grader.engines.emulator.findings.memory import MEMORY
from grader.engines.emulator.findings.races import RACES
from grader.engines.emulator.findings.wording import Wording
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.ptx.syntax import Location
from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason

WORDINGS: dict[EventKind, Wording] = MEMORY | HEAP | RACES | CONVERGENCE
"""Wording by event kind."""


def event_diagnostics(outcome: LaunchOutcome, memory: DeviceMemory, kernel: str) -> list[Diagnostic]:
    """One diagnostic per kind, pair of lines and target; unrolled copies of a line count together.

    Exchanges within a warp that share lines are one.
    """
    groups: dict[tuple[object, ...], Event] = {}
    events = [
        Event(record, int(record["count"]), threads, outcome, memory)
        for record, threads in zip(outcome.events, outcome.event_threads, strict=True)
    ]
    for event in sorted(events, key=_rank):
        kind = _kind(event)
        locations = frozenset(_locations(event, kind))
        key = (kind, locations, int(event.record["window"]), event.target())
        groups[key] = groups[key].joined(event) if key in groups else event
    races = [event for key, event in groups.items() if key[0] is EventKind.RACE]
    absent = {event.location for key, event in groups.items() if key[0] is EventKind.MISSING_LANES}
    remaining = [
        event
        for event in groups.values()
        if not _is_fixed_with_a_race(event, races)
        and not (_kind(event) is EventKind.UNDEFINED_VALUE and event.location in absent)
    ]
    hazards = [event for event in remaining if _kind(event) is EventKind.WARP_HAZARD]
    return [
        *(
            _diagnostic(event, races, kernel)
            for event in remaining
            if _kind(event) is not EventKind.WARP_HAZARD
        ),
        *(_lane_hazard(events, kernel) for events in lane_hazards.by_cause(hazards)),
    ]


def _kind(event: Event) -> EventKind:
    return EventKind(int(event.record["kind"]))


def _locations(event: Event, kind: EventKind) -> set[Location | None]:
    """The lines that identify a finding. For threads that ended too early: the branch that led there, if known."""
    if kind is EventKind.EXITED_BEFORE_BARRIER and event.other_location is not None:
        return {event.other_location}
    return {event.location, event.other_location}


def _is_fixed_with_a_race(event: Event, races: Sequence[Event]) -> bool:
    """Whether the fix for one of the races also fixes this event.

    This holds for an exchange within a warp that the race's barrier orders too, and for equal writes by a pair of
    lines that also writes different values, which is already reported as a race.
    """
    kind = _kind(event)
    here, there = event.location, event.other_location
    if kind is EventKind.SAME_VALUE:
        return any(
            race.target() == event.target() and {here, there} == {race.location, race.other_location}
            for race in races
        )
    if kind is not EventKind.WARP_HAZARD:
        return False
    return any(
        {here, there} == {race.location, race.other_location} or _lies_within(race, here, there)
        for race in races
    )


def _lies_within(race: Event, here: Location | None, there: Location | None) -> bool:
    """Whether both lines of a race are between ``here`` and ``there``."""
    locations = (race.location, race.other_location, here, there)
    known = [location for location in locations if location is not None]
    if len(known) < len(locations) or len({location.file for location in known}) > 1:
        return False
    one, other, first, last = (location.line for location in known)
    return one != other and min(first, last) <= min(one, other) and max(one, other) <= max(first, last)


def _advice(event: Event, races: Sequence[Event]) -> Reason:
    """The advice for an event. If a race lets a read come before the write, the race causes the uninitialised read."""
    site = (event.location, event.target())
    if _kind(event) is EventKind.UNINITIALISED and site in {(race.location, race.target()) for race in races}:
        return reason("fix-race-first")
    return WORDINGS[_kind(event)].advice(event)


def _diagnostic(event: Event, races: Sequence[Event], kernel: str) -> Diagnostic:
    wording = WORDINGS[_kind(event)]
    location = event.location
    shared = event.in_shared_memory and wording.kind is DiagnosticKind.GLOBAL_RACE
    return Diagnostic(
        kind=DiagnosticKind.SHARED_RACE if shared else wording.kind,
        severity=wording.severity,
        message=wording.message(event),
        advice=_advice(event, races),
        kernel=kernel,
        file=location.file if location else None,
        line=location.line if location else None,
        related=_related(event.other_location or event.use_location),
        threads=count_threads(event.threads),
        count=event.count,
    )


def _lane_hazard(events: list[Event], kernel: str) -> Diagnostic:
    """One finding for exchanges with one cause, at their first line."""
    diagnostic = _diagnostic(functools.reduce(Event.joined, events), (), kernel)
    if len(events) == 1:
        return diagnostic
    lines = lane_hazards.lines_of(events)
    return replace(
        diagnostic,
        message=lane_hazards.message(events),
        advice=lane_hazards.advice(events),
        file=lines[0].file,
        line=lines[0].line,
        related=tuple(SourceLocation(file=line.file, line=line.line) for line in lines[1:]),
    )


def _related(other: Location | None) -> tuple[SourceLocation, ...]:
    return (SourceLocation(file=other.file, line=other.line),) if other else ()


def _rank(event: Event) -> tuple[bool, bool]:
    """Sort key: races before hazards, and pairs in source order before pairs in reverse order."""
    here, there = event.location, event.other_location
    backwards = here is not None and there is not None and here.line < there.line
    return _kind(event) is EventKind.WARP_HAZARD, backwards
