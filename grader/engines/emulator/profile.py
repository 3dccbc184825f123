"""From the interpreter's counts to counters per kernel and traffic per source line."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grader.engines.cost_model import footprint_bytes
from grader.engines.emulator.core.records import Op
from grader.engines.emulator.decode.program import Unit
from grader.engines.emulator.launch import LaunchOutcome
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import BuiltKernel
from grader.model.plan import LaunchPlan
from grader.model.run import AccessSite, Counters

_UNCOALESCED_FROM = 1.5
"""Sectors over the ideal from which a line is mentioned; one sector more for a shifted row is not."""

_WORTH_MENDING = 4.0
"""The ratio from which it is a warning instead of a note."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """One launch of one kernel and what it left behind."""

    kernel: BuiltKernel
    outcome: LaunchOutcome


def counters_of(launches: Iterable[Profiled], plan: LaunchPlan) -> tuple[Counters, ...]:
    """Counters per kernel, in the order of first launch; launches of one kernel are summed."""
    grouped: dict[str, list[Profiled]] = {}
    for launch in launches:
        grouped.setdefault(launch.kernel.name, []).append(launch)
    return tuple(_summed(name, group, plan) for name, group in grouped.items())


def traffic_diagnostics(counters: Iterable[Counters]) -> list[Diagnostic]:
    """What the sites say about coalescing and bank conflicts, one diagnostic per line."""
    found = []
    for site in (site for kernel in counters for site in kernel.sites):
        if site.requests == 0 or site.ideal == 0:
            continue
        ratio = site.transactions / site.ideal
        if site.space == "global" and ratio >= _UNCOALESCED_FROM:
            found.append(_uncoalesced(site, ratio))
        elif site.space == "shared" and site.transactions > site.ideal:
            found.append(_bank_conflict(site, ratio))
    return found


def _uncoalesced(site: AccessSite, ratio: float) -> Diagnostic:
    access = "store" if site.store else "load"
    return Diagnostic(
        kind=DiagnosticKind.UNCOALESCED,
        severity=Severity.WARNING if ratio >= _WORTH_MENDING else Severity.NOTE,
        message=(
            f"uncoalesced {access}: a warp touches {site.transactions / site.requests:.1f} sectors of 32 bytes per"
            f" request where {site.ideal / site.requests:.1f} would do; let neighbouring threads use neighbouring"
            " elements"
        ),
        file=site.file,
        line=site.line,
        count=site.requests,
    )


def _bank_conflict(site: AccessSite, ratio: float) -> Diagnostic:
    access = "store" if site.store else "load"
    return Diagnostic(
        kind=DiagnosticKind.BANK_CONFLICT,
        severity=Severity.WARNING if ratio >= 2 else Severity.NOTE,  # noqa: PLR2004 - every access takes twice as long
        message=(
            f"bank conflict: {access}s of shared memory are {ratio:.1f}-way on average, so each takes {ratio:.1f} times"
            " as long; pad the rows of the array by one element ([N][N+1])"
        ),
        file=site.file,
        line=site.line,
        count=site.requests,
    )


def _summed(name: str, group: list[Profiled], plan: LaunchPlan) -> Counters:
    last = group[-1]
    shape, program = last.outcome.shape, last.outcome.program
    sites = _sites(group)
    per_op = {op: sum(_executions(launch.outcome, op) for launch in group) for op in (Op.ATOMIC, Op.BARRIER)}
    return Counters(
        kernel=name,
        launches=len(group),
        blocks=sum(launch.outcome.shape.grid.size for launch in group),
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
        footprint_bytes=footprint_bytes(plan, name),
    )


def _instructions(outcome: LaunchOutcome, *, column: int, unit: Unit | None = None) -> int:
    """PTX instructions executed, by warps (column 0) or by threads (1), of one unit or of all."""
    weights = outcome.program.ends
    if unit is not None:
        weights = weights * (outcome.program.units == unit)
    return int(np.dot(outcome.hits[:, column], weights))


def _executions(outcome: LaunchOutcome, op: Op) -> int:
    return int(outcome.hits[outcome.program.code["op"] == op, 0].sum())


def _sites(group: list[Profiled]) -> tuple[AccessSite, ...]:
    """Traffic by space, line and direction, in the order of the code."""
    merged: dict[tuple[str, str | None, int | None, bool], list[int]] = {}
    for launch in group:
        outcome = launch.outcome
        for pc in np.flatnonzero(outcome.traffic["requests"]):
            ins, location = outcome.program.code[pc], outcome.program.locations[pc]
            record = outcome.traffic[pc]
            space = "shared" if record["shared"] else "global"
            file, line = (location.file, location.line) if location else (None, None)
            entry = merged.setdefault((space, file, line, int(ins["op"]) != Op.LOAD), [0, 0, 0])
            for index, name in enumerate(("requests", "transactions", "ideal")):
                entry[index] += int(record[name])
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
