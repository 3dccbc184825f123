"""Deadlock of a grid: which resident blocks wait, at which instruction and for what."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from grader.engines.emulator.core.codes import Wait
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.residency import Capacity


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingBlock:
    """A waiting ``block`` (linear index in the grid) and its first waiting ``thread`` (linear index in the block).

    ``pc`` is the instruction where that thread waits: the grid barrier, or its last read of memory;
    ``reads_shared`` says whether that read was of shared memory.
    """

    block: int
    at_grid_barrier: bool
    thread: int
    pc: int
    reads_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GridDeadlock:
    """All resident blocks wait. ``waiting`` is never empty; ``ended`` counts the blocks that have finished."""

    waiting: tuple[WaitingBlock, ...]
    ended: int
    capacity: Capacity


def waiting_block(block: int, wait: Wait, warps: NDArray[Any]) -> WaitingBlock:
    """Describe a waiting block by its ``warps``. Raises: ``ValueError`` if none of its threads waits."""
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
    msg = f"block {block} waits, but none of its threads does"
    raise ValueError(msg)
