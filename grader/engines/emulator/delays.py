"""What delays a launch beside its traffic: idle warps, chains of instructions, atomics, local memory and textures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.engines.emulator.core.codes import Op, Space
from grader.engines.emulator.decode.program import READS_TEXELS
from grader.engines.emulator.launch import LaunchOutcome

_WORD_BYTES = 4

_IDLE_SHARE = 0.1
"""Steps of a block over those of the longest one below which it is idle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomicTraffic:
    """Atomics of a launch: threads' operations on global memory with their sectors and lines, and replays on shared."""

    operations: int
    sectors: int
    lines: int
    replays: int


class Waits(NamedTuple):
    """What warps wait for: chained instructions, chained loads of global memory, barriers after such loads."""

    instructions: float
    loads: float
    barriers: float


def atomic_traffic(outcome: LaunchOutcome) -> AtomicTraffic:
    """Those of all atomics of the launch."""
    if Op.ATOMIC not in outcome.program.ops:
        return AtomicTraffic(operations=0, sectors=0, lines=0, replays=0)
    code = outcome.program.code
    traffic = outcome.traffic[: len(code)]
    shared = (code["op"] == Op.ATOMIC) & (traffic["shared"] != 0)
    everywhere = (code["op"] == Op.ATOMIC) & (traffic["shared"] == 0)
    return AtomicTraffic(
        operations=int(outcome.hits[everywhere, 1].sum()),
        sectors=int(traffic["transactions"][everywhere].sum()),
        lines=int(traffic["cache_lines"][everywhere].sum()),
        replays=int(np.maximum(traffic["passes"] - traffic["transactions"], 0)[shared].sum()),
    )


def busy_blocks(outcome: LaunchOutcome) -> float:
    """How many blocks like the longest one would do as much as all of them.

    Where the shortest block does next to nothing, as one that leaves at once, that little is no work.
    """
    idle = outcome.shortest_warp if outcome.shortest_warp < _IDLE_SHARE * outcome.longest_warp else 0
    longest = outcome.longest_warp - idle
    return (outcome.longest_warps - idle * outcome.blocks_run) / longest if longest else 0.0


def busy_warps(outcomes: Sequence[LaunchOutcome]) -> float:
    """How many warps like the longest one of its block a block amounts to."""
    longest = sum(outcome.longest_warps for outcome in outcomes)
    return sum(outcome.steps for outcome in outcomes) / longest if longest else 0.0


def waits(outcome: LaunchOutcome) -> Waits:
    """Those of all warps of the launch."""
    return Waits(*map(float, outcome.hits[:, 0] @ outcome.program.waits))


def stored_lines(outcome: LaunchOutcome) -> int:
    """Lines that plain stores of warps to global memory touched."""
    code = outcome.program.code
    traffic = outcome.traffic[: len(code)]
    return int(traffic["cache_lines"][code["op"] == Op.STORE].sum())


def local_requests(outcome: LaunchOutcome, spill_bytes: int) -> float:
    """Accesses of warps to local memory.

    The assembler reports what it spills, not where: each spilled word counts as often as the average instruction.
    """
    program = outcome.program
    accesses = np.isin(program.code["op"], (Op.LOAD, Op.STORE)) & (program.code["space"] == Space.LOCAL)
    executed = np.dot(outcome.hits[:, 0], program.ends) / max(1, program.ends.sum())
    return float(outcome.hits[accesses, 0].sum() + spill_bytes / _WORD_BYTES * executed)


def texture_requests(outcome: LaunchOutcome) -> int:
    """Texture reads of warps."""
    if Op.SERVICE not in outcome.program.ops:
        return 0
    code = outcome.program.code
    reads = [call.service in READS_TEXELS for call in outcome.program.services]
    services = code["op"] == Op.SERVICE
    chosen = np.zeros(len(code), bool)
    chosen[services] = [reads[number] for number in code["imm"][services]]
    return int(outcome.hits[chosen, 0].sum())
