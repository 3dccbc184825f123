"""Pairs of accesses that nothing orders, and what there is between them."""

from grader.engines.emulator.core.codes import EventKind, Op
from grader.engines.emulator.display_names import line_name, warps_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.wording import Wording
from grader.engines.emulator.ptx.syntax import Location
from grader.model.diagnostic import DiagnosticKind, Severity


def _pair(e: Event) -> str:
    return (
        f"{e.who} {e.does()} at {line_name(e.location)} what {e.other} {e.does(other=True)} at"
        f" {line_name(e.other_location)}"
    )


def _at_once(e: Event) -> bool:
    """Whether lanes of one warp met in one execution of one instruction."""
    return bool(e.record["detail"])


def _race(e: Event) -> str:
    return f"race on {e.target()}, {_pair(e)}: {_between(e)}"


def _between(e: Event) -> str:
    """Why nothing orders the two: which barrier there is, and why it does not help."""
    here, there = e.location, e.other_location
    if e.between_blocks:
        return (
            f"nothing orders the two blocks{', as no grid.sync() is between' if e.has_grid_barrier else ''}"
        )
    if _at_once(e):
        return "one instruction writes different values to one place, and which stays is left to chance"
    if (told := _taken(e)) is not None:
        return told
    if here == there and not e.in_shared_memory and e.does() == e.does(other=True) == "writes":
        return "nothing orders the two, and which value stays is left to chance"
    before = e.sync_location("before_pc")
    if _goes_round(here, there, before):
        return f"the barrier at {line_name(before)} comes before both, as one thread is a round ahead of the other"
    if here == there:
        return f"no barrier between one round of {line_name(here)} and the next"
    return f"no barrier between {line_name(there)} and {line_name(here)}"


def _taken(e: Event) -> str | None:
    """What was taken between the two without ordering them."""
    place = line_name(e.sync_location("between_pc"))
    match e.sync_op("between_pc"):
        case Op.BARRIER | Op.BARRIER_ARRIVE:
            return f"the barrier at {place} is only for {warps_name(int(e.record['between_warps']))}"
        case Op.WARP_BARRIER:
            return f"the warp barrier at {place} orders the lanes of one warp, not different warps"
        case Op.FENCE:
            return f"the fence at {place} waits for no other thread"
        case _:
            return None


def _goes_round(here: Location | None, there: Location | None, before: Location | None) -> bool:
    """Whether the barrier before both stands between their lines: then the two are not of the same round of a loop."""
    if here is None or there is None or before is None:
        return False
    first, last = sorted((here.line, there.line))
    return before.file == here.file and first < before.line < last


def _order(e: Event) -> str:
    here, there = e.location, e.other_location
    barrier = "cuda.syncthreads()" if e.is_numba else "__syncthreads()"
    if e.between_blocks and e.has_grid_barrier:
        grid = "cuda.cg.this_grid().sync()" if e.is_numba else "grid.sync()"
        return f"put {grid} between the two{'' if here == there else ' lines'}, or give each block its own elements"
    if e.between_blocks:
        return "blocks of an ordinary launch cannot wait for each other: give each its own elements, or use an atomic"
    if _at_once(e):
        return "give each thread an element of its own, let one thread write, or use an atomic"
    alternative = "" if e.in_shared_memory else ", or give each thread its own elements"
    if _goes_round(here, there, e.sync_location("before_pc")) and e.sync_op("between_pc") is None:
        last = max((here, there), key=lambda place: place.line if place else 0)
        return f"put another {barrier} after {line_name(last)}, at the end of the loop{alternative}"
    if here == there and not e.in_shared_memory:
        return "give each thread its own elements, or use an atomic"
    return f"put {barrier} between the two{'' if here == there else ' lines'}{alternative}"


def _hazard(e: Event) -> str:
    return f"lanes of a warp exchange {e.target()}, {_pair(e)}, but lanes need not run in step"


def _step(e: Event) -> str:
    return f"put {'cuda.syncwarp()' if e.is_numba else '__syncwarp()'} between the two, or use a shuffle"


def _same_value(e: Event) -> str:
    return f"several threads write one value to {e.target()}, {_pair(e)}: harmless as long as it is the same value"


def _one_writer(e: Event) -> str:
    if e.between_blocks:
        index = "cuda.blockIdx" if e.is_numba else "blockIdx"
        return f"let one thread of one block write it; if each block has elements of its own, the index needs {index}"
    return "let one thread write it"


RACES: dict[EventKind, Wording] = {
    EventKind.RACE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.ERROR, _race, _order),
    EventKind.SAME_VALUE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.NOTE, _same_value, _one_writer),
    EventKind.WARP_HAZARD: Wording(DiagnosticKind.LANE_HAZARD, Severity.WARNING, _hazard, _step),
}
"""How events of pairs are told; a race in shared memory is named so when it is put together."""
