"""Performance findings from the counters of a kernel and of its lines."""

from collections.abc import Callable, Iterable, Sequence

from grader.compile.occupancy import Limiter, occupancy
from grader.engines.emulator.findings.addresses import accesses_of, site_key
from grader.engines.emulator.findings.banks import bank_conflict
from grader.engines.emulator.findings.coalescing import uncoalesced
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.profile import Profiled
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written
from grader.model.run import AccessSite, Counters, LineProfile

_DIVERGED_SHARE = 0.5
"""Least share of diverged executions of a reported branch. Branches that diverge only at the grid's edge stay below."""

_IDLE_NOTED, _IDLE_WARNED = 0.1, 0.3
"""Shares of idle lanes in a kernel from which its divergent branches are a note or a warning."""

_CONTENTION_NOTED, _CONTENTION_WARNED = 4.0, 16.0
"""Average lanes of a warp at one address from which an atomic is a note or a warning."""

_LOW_OCCUPANCY = 0.5
"""Share of an SM's warps below which the limiting resource is reported."""

_ROOM = {
    Limiter.REGISTERS: (
        "registers",
        "use fewer registers: fewer live values, less unrolling, or __launch_bounds__",
    ),
    Limiter.SHARED_MEMORY: (
        "shared memory",
        "use less shared memory per block: a smaller tile, or a narrower type",
    ),
    Limiter.BLOCKS: (
        "the number of blocks",
        "use larger blocks: the device limits the number of blocks per multiprocessor, whatever their size",
    ),
    Limiter.THREADS: (
        "the number of threads",
        "use a block size that divides the number of threads per multiprocessor",
    ),
}
"""Name of each limiter, and the advice for it."""


def speed_diagnostics(
    launches: Sequence[Profiled], counters: Iterable[Counters], device: Device
) -> list[Diagnostic]:
    """The performance findings of each kernel, in the order of the kernels."""
    found: list[Diagnostic] = []
    for kernel in counters:
        own = [launch for launch in launches if launch.kernel.name == kernel.kernel]
        found += _traffic(kernel, own)
        found += _lines(kernel, _divergence)
        found += _lines(kernel, _contention)
        found += _low_occupancy(kernel, own[-1], device)
    return found


def _traffic(kernel: Counters, launches: Sequence[Profiled]) -> list[Diagnostic]:
    everywhere = accesses_of(launches)
    found: list[Diagnostic | None] = []
    shared: dict[tuple[str | None, int | None], list[AccessSite]] = {}
    for site in kernel.sites:
        if site.requests == 0 or site.ideal == 0:
            continue
        if site.space == "global":
            accesses = [access for access in everywhere if access.site == site_key(site)]
            found.append(uncoalesced(kernel.kernel, site, accesses))
        else:
            shared.setdefault((site.file, site.line), []).append(site)
    for line in shared.values():
        keys = {site_key(site) for site in line}
        accesses = [access for access in everywhere if access.site in keys]
        found.append(bank_conflict(kernel.kernel, line, accesses, everywhere))
    return [diagnostic for diagnostic in found if diagnostic is not None]


def _lines(
    kernel: Counters, finding: Callable[[Counters, LineProfile], Diagnostic | None]
) -> list[Diagnostic]:
    found = (finding(kernel, line) for line in kernel.lines)
    return [diagnostic for diagnostic in found if diagnostic is not None]


def _divergence(kernel: Counters, line: LineProfile) -> Diagnostic | None:
    idle = 1 - kernel.thread_instructions / (WARP * kernel.warp_instructions)
    if idle < _IDLE_NOTED or line.divergent_branches < _DIVERGED_SHARE * max(line.branches, 1):
        return None
    share = line.divergent_branches / line.branches
    return Diagnostic(
        kind=DiagnosticKind.DIVERGENCE,
        severity=Severity.WARNING if idle >= _IDLE_WARNED else Severity.NOTE,
        message=(
            as_written(
                f"lanes of a warp diverge at this branch, in {share:.0%} of its {line.branches:,} executions; over the"
                f" whole kernel {idle:.0%} of the lanes are idle"
            )
        ),
        advice=as_written(
            "make the condition the same for all 32 threads of a warp, so that whole warps work or are idle"
        ),
        kernel=kernel.kernel,
        file=line.file,
        line=line.line,
        count=line.divergent_branches,
    )


def _contention(kernel: Counters, line: LineProfile) -> Diagnostic | None:
    if line.atomic_passes < _CONTENTION_NOTED * max(line.atomic_requests, 1):
        return None
    lanes = line.atomic_passes / line.atomic_requests
    return Diagnostic(
        kind=DiagnosticKind.ATOMIC_CONTENTION,
        severity=Severity.WARNING if lanes >= _CONTENTION_WARNED else Severity.NOTE,
        message=as_written(
            f"contended atomics, {lanes:.1f} lanes of a warp update one address on average, one after the other"
        ),
        advice=as_written(
            "combine the values within the warp (shuffles) or the block (shared memory) first, then update once"
        ),
        kernel=kernel.kernel,
        file=line.file,
        line=line.line,
        count=line.atomic_requests,
    )


def _low_occupancy(kernel: Counters, launch: Profiled, device: Device) -> list[Diagnostic]:
    fit = occupancy(device, kernel.threads_per_block, kernel.registers, kernel.shared_bytes)
    if fit.fraction >= _LOW_OCCUPANCY:
        return []
    what, advice = _ROOM[fit.limiter]
    return [
        Diagnostic(
            kind=DiagnosticKind.OCCUPANCY,
            severity=Severity.NOTE,
            message=(
                as_written(
                    f"low occupancy, {fit.active_warps} of {device.max_warps_per_sm} warps fit on a multiprocessor of"
                    f" the {device.name}, limited by {what}"
                )
            ),
            advice=as_written(advice),
            kernel=kernel.kernel,
            file=launch.kernel.file,
            line=launch.kernel.line,
        )
    ]
