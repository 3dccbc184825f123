"""Run one launch on several cores if its blocks are independent.

Each thread has its own interpreter state, all use the same memory, and each takes the next range of blocks when it has
finished one. Blocks that read only data that no block writes, and write only data that no other block uses, give the
same bytes in any order. Programs that can do more run on one core: atomics and volatile accesses to global memory,
fences, grid barriers, printing, clock reads. A launch that has an event or does not finish is repeated on one core, so
findings never depend on the number of cores.
"""

import dataclasses
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from grader.engines.emulator.core.codes import STRONG, Op, Space, Status
from grader.engines.emulator.decode.program import ACCESSES, Program
from grader.engines.emulator.launch import Execution, LaunchOutcome, Limits
from grader.engines.emulator.memory_map import DeviceMemory

_SHARING = (Op.FENCE, Op.SERVICE, Op.GRID_BARRIER, Op.CLOCK)
_PARTS_PER_CORE = 32
"""Parts per core; small parts keep all cores busy until the end: a core waits for half a part of another on average."""


def finish(make: Callable[[], Execution], memory: DeviceMemory, limits: Limits, cores: int) -> LaunchOutcome:
    """Run a launch to its end or to a limit, on up to ``cores`` cores. ``make`` prepares an execution."""
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
    """Whether ``program`` has no operation through which blocks exchange data or observe their order."""
    code = program.code
    shared_by_blocks = np.isin(code["op"], ACCESSES) & np.isin(code["space"], (Space.GLOBAL, Space.GENERIC))
    exchanges = shared_by_blocks & ((code["op"] == Op.ATOMIC) | (code["flags"] & STRONG != 0))
    return not (exchanges.any() or np.isin(code["op"], _SHARING).any())


def _run_in_parallel(executions: list[Execution], limits: Limits) -> LaunchOutcome | None:
    """Share a launch among ``executions``, one thread each; ``None`` if it must be repeated on one core."""
    parts = _Parts(executions[0].blocks, len(executions) * _PARTS_PER_CORE)

    def work(execution: Execution) -> bool:
        clean = all(execution.finish_part(first, behind, limits) for first, behind in parts)
        if not clean:
            parts.stop()
        return clean

    with ThreadPoolExecutor(len(executions)) as pool:
        clean = all(list(pool.map(work, executions)))
    steps = sum(execution.steps for execution in executions)
    if not clean or steps > limits.steps:
        return None
    return dataclasses.replace(executions[0].outcome(Status.DONE), steps=steps)


class _Parts(Iterator[tuple[int, int]]):
    """Ranges of the order of blocks (first, and one behind the last). Every call returns the next range."""

    def __init__(self, blocks: int, count: int) -> None:
        bounds = np.linspace(0, blocks, min(blocks, count) + 1).astype(int).tolist()
        self._ranges: Iterator[tuple[int, int]] = pairwise(bounds)
        self._lock = threading.Lock()

    def __next__(self) -> tuple[int, int]:
        with self._lock:
            return next(self._ranges)

    def stop(self) -> None:
        """Return no more ranges."""
        with self._lock:
            self._ranges = iter(())
