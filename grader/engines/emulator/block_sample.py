"""Run some drawn blocks of a launch, one after the other."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from grader.engines.emulator.core.codes import Status
from grader.engines.emulator.launch import Execution, LaunchOutcome, Limits
from grader.model.block_sample import BlockSample
from grader.model.plan import LaunchPlan
from grader.model.run import Counters


def run_sample(execution: Execution, sample: BlockSample, limits: Limits, steps: int) -> LaunchOutcome:
    """Run blocks of ``execution`` in its order until ``sample`` is complete. ``steps``: those of earlier launches.

    A block without an access to memory does not count: a launch may have many such blocks and a few that work. A block
    that waits for another one ends the run, because the other may not be in the sample.
    """
    status, out_of_time, count, working = Status.DONE, False, 0, 0
    while status is Status.DONE and working < sample.blocks and count < execution.blocks:
        if count > 0 and steps + execution.steps >= sample.steps:
            break
        before = execution.accesses
        status, out_of_time = execution.run_blocks(count, count + 1, limits)
        count += 1
        working += execution.accesses > before
    return execution.outcome(status, out_of_time=out_of_time, blocks_run=count)


def of_sample(counters: Iterable[Counters], plan: LaunchPlan) -> tuple[Counters, ...]:
    """``counters`` with the part of each footprint that falls to the blocks that ran."""
    blocks: Counter[str] = Counter()
    for launch in plan.launches:
        blocks[launch.kernel] += launch.shape.grid.size
    return tuple(
        replace(each, footprint_bytes=each.footprint_bytes * each.blocks // blocks[each.kernel])
        for each in counters
    )
