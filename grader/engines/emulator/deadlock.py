"""Blocks that wait for ever: who waits where, and how a student is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from grader.engines.emulator.core.codes import Wait
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.places import block_name, line_name, thread_name
from grader.engines.emulator.ptx.syntax import Location
from grader.engines.emulator.residency import Capacity
from grader.model.diagnostic import DiagnosticKind
from grader.model.plan import LaunchShape
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingBlock:
    """A block (linear in the grid) that waits, seen through one of its threads (linear in the block).

    ``pc`` is where that thread waits: the grid barrier, or its last read of memory, which was a shared one or not.
    """

    block: int
    at_grid_barrier: bool
    thread: int
    pc: int
    reads_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standstill:
    """All resident blocks wait. ``waiting`` is never empty; ``ended`` blocks have come to their end."""

    waiting: tuple[WaitingBlock, ...]
    ended: int
    capacity: Capacity


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a standstill is told: ``what`` happened and ``advice`` about it."""

    verdict: Verdict
    kind: DiagnosticKind
    location: Location | None
    what: str
    advice: str


def waiting_block(block: int, wait: Wait, warps: NDArray[Any]) -> WaitingBlock:
    """A block of the table of residents, as its warps' states show it."""
    at_grid_barrier = wait is Wait.GRID
    for number, warp in enumerate(warps):
        lanes = int(warp["waiting"]) if at_grid_barrier else int(warp["live"]) & ~int(warp["waiting"])
        if lanes:
            lane = (lanes & -lanes).bit_length() - 1
            return WaitingBlock(
                block=block,
                at_grid_barrier=at_grid_barrier,
                thread=number * WARP + lane,
                pc=int(warp["pcs"][lane]) - 1 if at_grid_barrier else int(warp["read_pc"]),
                reads_shared=bool(warp["read_shared"]) and not at_grid_barrier,
            )
    msg = f"block {block} waits with no thread that does"
    raise ValueError(msg)


def standstill_ending(
    standstill: Standstill, shape: LaunchShape, locations: Sequence[Location | None]
) -> Ending:
    """Say why nothing can go on, through the first block that waits."""
    first = standstill.waiting[0]
    location = locations[first.pc]
    block, blocks = block_name(shape.grid, first.block), shape.grid.size
    if first.reads_shared or blocks == 1:
        what = (
            f"no end: {thread_name(shape.block, first.thread)} of {block} waits at {line_name(location)} for a value"
            " that no other thread will ever write"
        )
        return Ending(
            verdict=Verdict.TIMED_OUT,
            kind=DiagnosticKind.ENDLESS_LOOP,
            location=location,
            what=what,
            advice="check who should write it; all threads that could are waiting or have ended",
        )
    cause = "for all blocks to arrive" if first.at_grid_barrier else "for what another block must write"
    counts = f"{len(standstill.waiting)} of {blocks} blocks were resident and all waited, {standstill.ended} had ended"
    unstarted = blocks - standstill.ended - len(standstill.waiting)
    if unstarted and standstill.capacity.by_memory:
        return Ending(
            verdict=Verdict.NOT_GRADABLE,
            kind=DiagnosticKind.ENDLESS_WAIT,
            location=location,
            what=f"{block} waits at {line_name(location)} {cause}; {counts}, and the emulator has no room for more",
            advice="it needs a real GPU, or fewer blocks",
        )
    advice = (
        f"the device cannot hold all blocks at once: launch at most {standstill.capacity.blocks}, or split the kernel"
        if unstarted
        else "make sure that every block gets there"
        if first.at_grid_barrier
        else "check that some block always writes what the others wait for, and that every lock is released"
    )
    return Ending(
        verdict=Verdict.TIMED_OUT,
        kind=DiagnosticKind.ENDLESS_WAIT,
        location=location,
        what=f"{block} waits at {line_name(location)} {cause}; {counts}",
        advice=advice,
    )
