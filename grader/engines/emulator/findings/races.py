"""Findings on pairs of accesses that nothing orders."""

from grader.engines.emulator.core.codes import EventKind, Flag, Op
from grader.engines.emulator.display_names import line_name, warps_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.race_advice import (
    one_writer,
    order_accesses,
    order_lanes,
    warp_barrier,
)
from grader.engines.emulator.findings.race_structure import (
    crosses_iterations,
    earlier_iteration_first,
    is_lost_update,
    is_one_instruction,
    is_one_line,
)
from grader.engines.emulator.findings.wording import Wording
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.reason import Reason, reason


def _race(e: Event) -> Reason:
    crosses = _is_unordered_by_barrier(e) and crosses_iterations(e)
    pair = earlier_iteration_first(e) if crosses else e
    return reason(
        "data-race",
        subject=e.target(),
        conflict=_next_iteration(pair) if crosses else _conflict(pair),
        cause=_cause(e),
        thread=pair.thread,
        other=pair.other_thread,
    )


def _conflict(e: Event) -> Reason:
    """Which line does what, seen from the first access of a pair."""
    does, other_does = e.does(), e.does(other=True)
    if is_lost_update(e):
        return reason("updates-in-line", line=e.line)
    if not is_one_line(e):
        return reason(
            "conflict-of-lines",
            line=e.line,
            does=reason(does),
            other_line=e.other_line,
            other_does=reason(other_does),
        )
    if does == other_does == "writes":
        return reason("writes-in-line", line=e.line)
    return reason("conflict-in-line", line=e.line, does=reason(does), other_does=reason(other_does))


def _next_iteration(e: Event) -> Reason:
    return reason(
        "conflict-with-next-iteration",
        line=e.line,
        does=reason(e.does()),
        other_line=e.other_line,
        other_does=reason(e.does(other=True)),
    )


def _is_unordered_by_barrier(e: Event) -> bool:
    """Whether a barrier of the block could order the pair: two threads of one block, not in one instruction."""
    return not e.between_blocks and not is_one_instruction(e)


def _cause(e: Event) -> Reason:
    """Why nothing orders the two accesses: the barrier between them, if any, and why it does not order them."""
    if e.between_blocks:
        return _unordered_blocks(e)
    if is_lost_update(e):
        return reason("lost-update")
    if is_one_instruction(e):
        return reason("unordered-lanes")
    if (insufficient := _insufficient_sync(e)) is not None:
        return insufficient
    if is_one_line(e) and not e.in_shared_memory and e.does() == e.does(other=True) == "writes":
        return reason("unordered-writes")
    if crosses_iterations(e):
        return reason("barrier-before-both", barrier=line_name(e.sync_location("before_pc"), e.location))
    return reason("missing-barrier")


def _unordered_blocks(e: Event) -> Reason:
    if e.has_flag(Flag.BLOCK_SCOPE):
        return reason("atomic-of-block")
    if (fence := e.block_fence) is not None:
        return reason("fence-of-block", fence=line_name(fence, e.location))
    if e.has_grid_barrier:
        return reason("missing-grid-barrier")
    return reason("unreleased-blocks" if e.has_signals else "unordered-blocks")


def _insufficient_sync(e: Event) -> Reason | None:
    """The synchronisation between the two accesses, and why it does not order them."""
    line = line_name(e.sync_location("between_pc"), e.location)
    match e.sync_op("between_pc"):
        case Op.BARRIER | Op.BARRIER_ARRIVE:
            warps = warps_name(int(e.record["between_warps"]))
            return reason("barrier-of-other-warps", barrier=line, warps=warps)
        case Op.WARP_BARRIER:
            return reason("warp-barrier-only", barrier=line)
        case Op.FENCE:
            return reason("fence-only", fence=line)
        case _:
            return None


def _lane_hazard(e: Event) -> Reason:
    return reason(
        "lane-hazard",
        barrier=warp_barrier(e),
        subject=e.target(),
        conflict=_conflict(e),
        thread=e.thread,
        other=e.other_thread,
    )


def _same_value(e: Event) -> Reason:
    return reason(
        "same-value-writes",
        subject=e.target(),
        thread=e.thread,
        line=e.line,
        other=e.other_thread,
        other_line=e.other_line,
    )


RACES: dict[EventKind, Wording] = {
    EventKind.RACE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.ERROR, _race, order_accesses),
    EventKind.SAME_VALUE: Wording(DiagnosticKind.GLOBAL_RACE, Severity.NOTE, _same_value, one_writer),
    EventKind.WARP_HAZARD: Wording(DiagnosticKind.LANE_HAZARD, Severity.WARNING, _lane_hazard, order_lanes),
}
"""Wording by event kind; ``event_diagnostics`` turns the kind into ``SHARED_RACE`` for shared memory."""
