"""Convert the interpreter's counts to counters per kernel and per source line."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.engines.cost_model import footprint_bytes
from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.decode.program import Program, Unit
from grader.engines.emulator.delays import (
    atomic_traffic,
    busy_blocks,
    busy_warps,
    local_requests,
    stored_lines,
    texture_requests,
    waits,
)
from grader.engines.emulator.launch import LaunchOutcome
from grader.engines.emulator.memory_use import array_traffic, shared_use
from grader.model.block_sample import ExecutedInstruction
from grader.model.module import BuiltKernel
from grader.model.plan import LaunchPlan
from grader.model.run import AccessSite, Counters, LineProfile

_COUNTED = (
    "warp_instructions",
    "thread_instructions",
    "branches",
    "divergent_branches",
    "atomic_requests",
    "atomic_passes",
)
"""The quantities of a ``LineProfile``."""

_SITE = ["shared", "requests", "transactions", "ideal"]
"""The fields of the traffic that an ``AccessSite`` needs."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """One launch of one kernel and its outcome."""

    kernel: BuiltKernel
    outcome: LaunchOutcome


def counters_of(launches: Iterable[Profiled], plan: LaunchPlan) -> tuple[Counters, ...]:
    """Counters per kernel, in the order of first launch; launches of one kernel are summed."""
    grouped: dict[str, list[Profiled]] = {}
    for launch in launches:
        grouped.setdefault(launch.kernel.name, []).append(launch)
    return tuple(_summed(name, group, plan) for name, group in grouped.items())


def executed_instructions(launches: Iterable[Profiled]) -> tuple[ExecutedInstruction, ...]:
    """Thread executions of each micro-operation of the kernels; launches of one kernel are summed."""
    counts: dict[str, NDArray[np.int64]] = {}
    programs: dict[str, Program] = {}
    for launch in launches:
        program = programs.setdefault(launch.kernel.name, launch.outcome.program)
        counts[program.kernel] = counts.get(program.kernel, 0) + launch.outcome.hits[:, 1]
    return tuple(
        ExecutedInstruction(int(count), *((location.file, location.line) if location else (None, None)))
        for program in programs.values()
        for count, location in zip(counts[program.kernel].tolist(), program.locations, strict=False)
    )


def _summed(name: str, group: list[Profiled], plan: LaunchPlan) -> Counters:
    last = group[-1]
    shape, program = last.outcome.shape, last.outcome.program
    sites = _sites(group)
    atomics = [atomic_traffic(launch.outcome) for launch in group]
    waited = [waits(launch.outcome) for launch in group]
    per_op = {op: sum(_executions(launch.outcome, op) for launch in group) for op in (Op.ATOMIC, Op.BARRIER)}
    return Counters(
        kernel=name,
        launches=len(group),
        blocks=sum(launch.outcome.blocks_run for launch in group),
        threads_per_block=shape.block.size,
        shared_bytes=program.static_shared_bytes + shape.shared_bytes,
        registers=last.kernel.resources.registers,
        thread_instructions=sum(_instructions(launch.outcome, column=1) for launch in group),
        warp_instructions=sum(_instructions(launch.outcome, column=0) for launch in group),
        fp32_instructions=sum(_instructions(launch.outcome, column=0, unit=Unit.FP32) for launch in group),
        fp64_instructions=sum(_instructions(launch.outcome, column=0, unit=Unit.FP64) for launch in group),
        global_requests=sum(site.requests for site in sites if site.space == "global"),
        cache_lines=sum(int(launch.outcome.traffic["cache_lines"].sum()) for launch in group),
        global_sectors=sum(site.transactions for site in sites if site.space == "global"),
        shared_requests=sum(site.requests for site in sites if site.space == "shared"),
        shared_wavefronts=sum(site.transactions for site in sites if site.space == "shared"),
        atomics=per_op[Op.ATOMIC],
        barriers=per_op[Op.BARRIER],
        sites=sites,
        lines=_lines(group),
        footprint_bytes=_footprint(name, len(group), plan),
        busy_blocks=sum(busy_blocks(launch.outcome) for launch in group),
        busy_warps=busy_warps([launch.outcome for launch in group]),
        fp32_operations=sum(_operations(launch.outcome, Unit.FP32) for launch in group),
        fp64_operations=sum(_operations(launch.outcome, Unit.FP64) for launch in group),
        integer_operations=sum(_operations(launch.outcome, Unit.INT32) for launch in group),
        chained_instructions=round(sum(each.instructions for each in waited)),
        chained_loads=round(sum(each.loads for each in waited)),
        barriers_after_loads=round(sum(each.barriers for each in waited)),
        local_requests=round(
            sum(local_requests(launch.outcome, launch.kernel.resources.spill_bytes) for launch in group)
        ),
        texture_requests=sum(texture_requests(launch.outcome) for launch in group),
        stored_lines=sum(stored_lines(launch.outcome) for launch in group),
        atomic_operations=sum(part.operations for part in atomics),
        atomic_sectors=sum(part.sectors for part in atomics),
        atomic_lines=sum(part.lines for part in atomics),
        most_atomics=sum(launch.outcome.most_atomics for launch in group),
        atomic_replays=sum(part.replays for part in atomics),
        arrays=array_traffic([launch.outcome for launch in group]),
        shared_use=shared_use([launch.outcome for launch in group]),
    )


def _footprint(name: str, launches: int, plan: LaunchPlan) -> int:
    """The bytes that ``launches`` of a kernel need: a loop of the plan carries out some of its launches repeatedly."""
    planned = sum(launch.kernel == name for launch in plan.launches)
    return footprint_bytes(plan, name) * launches // max(1, planned)


def _instructions(outcome: LaunchOutcome, *, column: int, unit: Unit | None = None) -> int:
    """PTX instructions executed, by warps (column 0) or by threads (1), of one unit or of all."""
    weights = outcome.program.ends
    if unit is not None:
        weights = weights * (outcome.program.units == unit)
    return int(np.dot(outcome.hits[:, column], weights))


def _operations(outcome: LaunchOutcome, unit: Unit) -> int:
    """Arithmetic operations of all threads in one unit."""
    program = outcome.program
    return int(np.dot(outcome.hits[:, 1], program.operations * (program.units == unit)))


def _executions(outcome: LaunchOutcome, op: Op) -> int:
    if op not in outcome.program.ops:
        return 0
    return int(outcome.hits[outcome.program.code["op"] == op, 0].sum())


def _sites(group: list[Profiled]) -> tuple[AccessSite, ...]:
    """Traffic by space, line and direction, in the order of the code."""
    merged: dict[tuple[str, str | None, int | None, bool], list[int]] = {}
    for launch in group:
        outcome = launch.outcome
        accessed = np.flatnonzero(outcome.traffic["requests"])
        ops = outcome.program.code["op"][accessed].tolist()
        records = outcome.traffic[_SITE][accessed].tolist()
        for pc, op, (shared, *counted) in zip(accessed.tolist(), ops, records, strict=True):
            location = outcome.program.locations[pc]
            file, line = (location.file, location.line) if location else (None, None)
            entry = merged.setdefault(
                ("shared" if shared else "global", file, line, op != Op.LOAD), [0, 0, 0]
            )
            for index, count in enumerate(counted):
                entry[index] += count
    return tuple(
        AccessSite(
            space=space,
            file=file,
            line=line,
            store=store,
            requests=totals[0],
            transactions=totals[1],
            ideal=totals[2],
        )
        for (space, file, line, store), totals in merged.items()
    )


def _lines(group: list[Profiled]) -> tuple[LineProfile, ...]:
    """Counters of every line, in source order; copies of a line by unrolling or inlining are summed."""
    merged: dict[tuple[str, int], list[int]] = {}
    for launch in group:
        program = launch.outcome.program
        totals = np.zeros((len(program.lines) + 1, len(_COUNTED)), np.int64)
        np.add.at(totals, program.line_numbers, _counts(launch.outcome))
        for location, counted in zip(program.lines, totals[:-1].tolist(), strict=True):
            if any(counted):
                before = merged.get(key := (location.file, location.line), [0] * len(_COUNTED))
                merged[key] = [one + other for one, other in zip(before, counted, strict=True)]
    return tuple(
        LineProfile(file=file, line=line, **dict(zip(_COUNTED, merged[file, line], strict=True)))
        for file, line in sorted(merged)
    )


def _counts(outcome: LaunchOutcome) -> NDArray[np.int64]:
    """The quantities named in ``_COUNTED``, for each micro-operation."""
    ops, traffic = outcome.program.code["op"], outcome.traffic[: len(outcome.program.code)]
    ends = outcome.program.ends
    branches = ((ops == Op.BRANCH) & (outcome.program.code["guard"] >= 0)) | (ops == Op.BRANCH_INDEXED)
    atomics = ops == Op.ATOMIC
    columns = (
        outcome.hits[:, 0] * ends,
        outcome.hits[:, 1] * ends,
        outcome.hits[:, 0] * branches,
        traffic["divergences"] * branches,
        traffic["requests"] * atomics,
        traffic["passes"] * atomics,
    )
    return np.stack(columns, axis=1).astype(np.int64)
