"""Pairs of accesses that nothing orders."""

from grader.engines.emulator.core.records import EventKind
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording
from grader.engines.emulator.places import line_name
from grader.model.diagnostic import DiagnosticKind, Severity


def _pair(e: Event) -> str:
    return (
        f"{e.who} {e.does()} at {line_name(e.location)} what {e.other} {e.does(other=True)} at"
        f" {line_name(e.other_location)}"
    )


def _race(e: Event) -> str:
    nothing = "nothing orders different blocks" if e.between_blocks else "nothing orders the two"
    return f"race on {e.target()}, {_pair(e)}, and {nothing}"


def _order(e: Event) -> str:
    barrier = "cuda.syncthreads()" if e.is_numba else "__syncthreads()"
    if e.between_blocks:
        return "blocks cannot wait for each other: give each its own elements, or use an atomic"
    alternative = "" if e.in_shared_memory else ", or give each thread its own elements"
    return f"put {barrier} between the two lines{alternative}"


def _hazard(e: Event) -> str:
    return f"lanes of a warp exchange {e.target()}, {_pair(e)}, but lanes need not run in step"


def _step(e: Event) -> str:
    return f"put {'cuda.syncwarp()' if e.is_numba else '__syncwarp()'} between the two, or use a shuffle"


RACES: dict[EventKind, Wording] = {
    EventKind.RACE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.ERROR, _race, _order),
    EventKind.WARP_HAZARD: Wording(DiagnosticKind.LANE_HAZARD, Severity.WARNING, _hazard, _step),
}
"""How events of pairs are told; a race in shared memory is named so when it is put together."""
