"""What to do about a pair of accesses that nothing orders."""

from grader.engines.emulator.core.codes import Flag
from grader.engines.emulator.display_names import line_name
from grader.engines.emulator.findings.event import Event
from grader.engines.emulator.findings.race_structure import (
    crosses_iterations,
    earlier_iteration_first,
    is_lost_update,
    is_one_instruction,
    is_one_line,
    skipped_location,
)
from grader.model.reason import Reason, reason


def block_barrier(e: Event) -> str:
    """The barrier of a block, in the language of the kernel."""
    return "cuda.syncthreads()" if e.is_numba else "__syncthreads()"


def warp_barrier(e: Event) -> str:
    """The barrier of a warp, in the language of the kernel."""
    return "cuda.syncwarp()" if e.is_numba else "__syncwarp()"


def fence(e: Event) -> str:
    """The fence for the device, in the language of the kernel."""
    return "cuda.threadfence()" if e.is_numba else "__threadfence()"


def order_accesses(e: Event) -> Reason:
    """What removes a race."""
    if e.between_blocks:
        return _order_blocks(e)
    if is_lost_update(e):
        return reason("update-by-atomic", atomic="cuda.atomic.add()" if e.is_numba else "atomicAdd()")
    if is_one_instruction(e):
        return reason("one-writer-or-atomic")
    if is_one_line(e) and (not e.in_shared_memory or e.does() == e.does(other=True)):
        return reason("own-elements" if not e.in_shared_memory else "one-writer-or-atomic")
    advice = _add_block_barrier(e)
    if (skipped := skipped_location(e)) is not None:
        advice = reason("barrier-outside-branch", advice=advice, line=line_name(skipped))
    return advice if e.in_shared_memory else reason("or-own-elements", advice=advice)


def order_lanes(e: Event) -> Reason:
    """What makes an exchange between lanes of a warp safe."""
    barrier = warp_barrier(e)
    if is_one_line(e):
        return reason("add-warp-barrier-in-line", barrier=barrier)
    line, other = _in_source_order(e)
    return reason("add-warp-barrier", barrier=barrier, line=line, other_line=other)


def one_writer(e: Event) -> Reason:
    """How equal writes to one address become one write."""
    if not e.between_blocks:
        return reason("one-writer")
    return reason("one-writer-of-block", block_index="cuda.blockIdx" if e.is_numba else "blockIdx")


def _order_blocks(e: Event) -> Reason:
    if e.has_flag(Flag.BLOCK_SCOPE) or e.block_fence is not None:
        return reason("use-device-scope", fence=fence(e))
    if not e.has_grid_barrier:
        return (
            reason("fence-before-signal", fence=fence(e))
            if e.has_signals
            else reason("own-elements-of-block")
        )
    barrier = "cuda.cg.this_grid().sync()" if e.is_numba else "grid.sync()"
    if is_one_line(e):
        return reason("add-grid-barrier-in-line", barrier=barrier)
    line, other = _in_source_order(e)
    return reason("add-grid-barrier", barrier=barrier, line=line, other_line=other)


def _add_block_barrier(e: Event) -> Reason:
    barrier = block_barrier(e)
    if is_one_line(e):
        return reason("split-line", barrier=barrier)
    if crosses_iterations(e):
        return reason("add-barrier-in-loop", barrier=barrier, line=earlier_iteration_first(e).line)
    line, other = _in_source_order(e)
    return reason("add-barrier", barrier=barrier, line=line, other_line=other)


def _in_source_order(e: Event) -> tuple[Reason, Reason]:
    here, there = e.location, e.other_location
    if here is not None and there is not None and here.file == there.file and there.line < here.line:
        e = e.swapped()
    return e.line, e.other_line
