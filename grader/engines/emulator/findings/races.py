"""Texts of findings on pairs of accesses that nothing orders."""

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
    """Whether lanes of one warp conflict in one execution of one instruction."""
    return bool(e.record["detail"])


def _race(e: Event) -> str:
    return f"race on {e.target()}, {_pair(e)}: {_between(e)}"


def _between(e: Event) -> str:
    """Why nothing orders the two accesses: the barrier between them, if any, and why it does not order them."""
    here, there = e.location, e.other_location
    if e.between_blocks:
        missing = ", because no grid.sync() is between them" if e.has_grid_barrier else ""
        return f"nothing orders the two blocks{missing}"
    if _at_once(e):
        return "one instruction writes different values to one address, and which value remains is undefined"
    if (reason := _not_ordering(e)) is not None:
        return reason
    if here == there and not e.in_shared_memory and e.does() == e.does(other=True) == "writes":
        return "nothing orders the two, and which value remains is undefined"
    before = e.sync_location("before_pc")
    if _spans_iterations(here, there, before):
        return f"the barrier at {line_name(before)} comes before both: one thread is one iteration ahead of the other"
    if here == there:
        return f"no barrier between one iteration of {line_name(here)} and the next"
    return f"no barrier between {line_name(there)} and {line_name(here)}"


def _not_ordering(e: Event) -> str | None:
    """The synchronisation between the two accesses, and why it does not order them."""
    line = line_name(e.sync_location("between_pc"))
    match e.sync_op("between_pc"):
        case Op.BARRIER | Op.BARRIER_ARRIVE:
            return f"the barrier at {line} is only for {warps_name(int(e.record['between_warps']))}"
        case Op.WARP_BARRIER:
            return f"the warp barrier at {line} orders the lanes of one warp, not different warps"
        case Op.FENCE:
            return f"the fence at {line} waits for no other thread"
        case _:
            return None


def _spans_iterations(here: Location | None, there: Location | None, before: Location | None) -> bool:
    """Whether the two accesses are in different loop iterations: the barrier before both is between their lines."""
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
    if _spans_iterations(here, there, e.sync_location("before_pc")) and e.sync_op("between_pc") is None:
        last = max((here, there), key=lambda location: location.line if location else 0)
        return f"put another {barrier} after {line_name(last)}, at the end of the loop{alternative}"
    if here == there and not e.in_shared_memory:
        return "give each thread its own elements, or use an atomic"
    return f"put {barrier} between the two{'' if here == there else ' lines'}{alternative}"


def _hazard(e: Event) -> str:
    return f"lanes of a warp exchange {e.target()}, {_pair(e)}, but lanes need not run in lockstep"


def _warp_barrier(e: Event) -> str:
    return f"put {'cuda.syncwarp()' if e.is_numba else '__syncwarp()'} between the two, or use a shuffle"


def _same_value(e: Event) -> str:
    return f"several threads write one value to {e.target()}, {_pair(e)}: harmless as long as all write the same value"


def _one_writer(e: Event) -> str:
    if e.between_blocks:
        index = "cuda.blockIdx" if e.is_numba else "blockIdx"
        return f"let one thread of one block write it; if each block has its own elements, add {index} to the index"
    return "let one thread write it"


RACES: dict[EventKind, Wording] = {
    EventKind.RACE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.ERROR, _race, _order),
    EventKind.SAME_VALUE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.NOTE, _same_value, _one_writer),
    EventKind.WARP_HAZARD: Wording(DiagnosticKind.LANE_HAZARD, Severity.WARNING, _hazard, _warp_barrier),
}
"""Texts by event kind; ``event_diagnostics`` turns the kind into ``SHARED_RACE`` for shared memory."""
