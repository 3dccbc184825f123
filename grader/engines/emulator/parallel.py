"""One launch on several cores, where its blocks have nothing to do with each other.

Each thread has a machine of its own, all work on the same memory, and each takes the next blocks of the order when it
has finished some. Blocks that only read what no block writes, and write what no other block touches, leave the same
bytes whichever runs first. Programs that can do more run on one core: atomics and volatile accesses in memory that
blocks share, fences, grid barriers, printing, reading the clock. So does, from the start again, a launch in which
anything was noted or that did not come to its end: what a student is told never depends on the number of cores.
"""

import dataclasses
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from grader.engines.emulator.core.codes import Flag, Op, Space, Status
from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.launch import Execution, LaunchOutcome, Limits
from grader.engines.emulator.memory_map import DeviceMemory

_ACCESSES = (Op.LOAD, Op.STORE, Op.ATOMIC)
_SHARING = (Op.FENCE, Op.SERVICE, Op.GRID_BARRIER, Op.CLOCK)
_PARTS_PER_CORE = 8
"""Into how many parts a core's share is cut, so that none waits long for the others in the end."""


def finish(make: Callable[[], Execution], memory: DeviceMemory, limits: Limits, cores: int) -> LaunchOutcome:
    """Run a launch to its end, or to one of the limits, on up to ``cores`` cores. ``make`` prepares it."""
    execution = make()
    if cores > 1 and execution.blocks > 1 and blocks_are_independent(execution.program):
        before = {number: region.data.copy() for number, region in memory.regions.items()}
        outcome = _run_in_parallel([execution, *(make() for _ in range(cores - 1))], limits)
        if outcome is not None:
            return outcome
        for number, data in before.items():
            memory.regions[number].data[:] = data
        execution = make()
    return execution.finish(limits)


def blocks_are_independent(program: Program) -> bool:
    """Whether nothing in ``program`` is there for blocks to exchange data, or tells one order from another."""
    code = program.code
    shared_by_blocks = np.isin(code["op"], _ACCESSES) & np.isin(code["space"], (Space.GLOBAL, Space.GENERIC))
    exchanges = shared_by_blocks & ((code["op"] == Op.ATOMIC) | (code["flags"] & Flag.VOLATILE != 0))
    return not (exchanges.any() or np.isin(code["op"], _SHARING).any())


def _run_in_parallel(executions: list[Execution], limits: Limits) -> LaunchOutcome | None:
    """Share a launch among ``executions``, one thread each; ``None`` where it did not end smoothly."""
    parts = _Parts(executions[0].blocks, len(executions) * _PARTS_PER_CORE)

    def work(execution: Execution) -> bool:
        smooth = all(execution.finish_part(first, behind, limits) for first, behind in parts)
        if not smooth:
            parts.stop()
        return smooth

    with ThreadPoolExecutor(len(executions)) as pool:
        smooth = all(list(pool.map(work, executions)))
    steps = sum(execution.steps for execution in executions)
    if not smooth or steps > limits.steps:
        return None
    return dataclasses.replace(executions[0].outcome(Status.DONE), steps=steps)


class _Parts(Iterator[tuple[int, int]]):
    """Ranges of the order of blocks, first and behind the last, each given to the thread that asks next."""

    def __init__(self, blocks: int, count: int) -> None:
        bounds = np.linspace(0, blocks, min(blocks, count) + 1).astype(int).tolist()
        self._ranges: Iterator[tuple[int, int]] = pairwise(bounds)
        self._lock = threading.Lock()

    def __next__(self) -> tuple[int, int]:
        with self._lock:
            return next(self._ranges)

    def stop(self) -> None:
        """Give out no more."""
        with self._lock:
            self._ranges = iter(())
