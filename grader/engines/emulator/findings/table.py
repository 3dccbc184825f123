"""One table of wordings, and the events of a launch told by it."""

from grader.engines.emulator.core.codes import EventKind
from grader.engines.emulator.findings.event import Event, count_threads
from grader.engines.emulator.findings.heap import HEAP
from grader.engines.emulator.findings.memory import MEMORY
from grader.engines.emulator.findings.races import RACES
from grader.engines.emulator.findings.together import TOGETHER
from grader.engines.emulator.findings.wording import Wording
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.memory_map import DeviceMemory
from grader.engines.emulator.ptx.syntax import Location
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Place

WORDINGS: dict[EventKind, Wording] = MEMORY | HEAP | RACES | TOGETHER
"""How every kind of event is told."""


def diagnostics_of(outcome: LaunchOutcome, memory: DeviceMemory, kernel: str) -> list[Diagnostic]:
    """One diagnostic per kind, pair of lines and target; unrolled copies of a line count together."""
    groups: dict[tuple[object, ...], Event] = {}
    events = [
        Event(record, int(record["count"]), threads, outcome, memory)
        for record, threads in zip(outcome.events, outcome.event_threads, strict=True)
    ]
    for event in sorted(events, key=_rank):
        kind = EventKind(int(event.record["kind"]))
        places = frozenset({event.location, event.other_location})
        key = (kind, places, int(event.record["window"]), event.target())
        if kind is EventKind.WARP_HAZARD and (EventKind.RACE, *key[1:]) in groups:
            continue  # the barrier that the race asks for mends this as well
        groups[key] = groups[key].joined(event) if key in groups else event
    return [_diagnostic(event, kernel) for event in groups.values()]


def _diagnostic(event: Event, kernel: str) -> Diagnostic:
    wording = WORDINGS[EventKind(int(event.record["kind"]))]
    location = event.location
    shared = event.in_shared_memory and wording.kind is DiagnosticKind.GLOBAL_RACE
    return Diagnostic(
        kind=DiagnosticKind.SHARED_RACE if shared else wording.kind,
        severity=wording.severity,
        message=wording.message(event),
        advice=wording.advice(event),
        kernel=kernel,
        file=location.file if location else None,
        line=location.line if location else None,
        related=_related(event.other_location),
        threads=count_threads(event.threads),
        count=event.count,
    )


def _related(other: Location | None) -> tuple[Place, ...]:
    return (Place(file=other.file, line=other.line),) if other else ()


def _rank(event: Event) -> tuple[bool, bool]:
    """Races before hazards; a pair met in the order of the source before the same pair met the other way round."""
    here, there = event.location, event.other_location
    backwards = here is not None and there is not None and here.line < there.line
    return int(event.record["kind"]) == EventKind.WARP_HAZARD, backwards
