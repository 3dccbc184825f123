"""Performance findings from the counters of a kernel and of its lines."""

from collections.abc import Callable, Iterable, Sequence

from grader.compile.occupancy import Limiter, occupancy
from grader.engines.emulator.findings.addresses import RecordedAccesses
from grader.engines.emulator.findings.banks import bank_conflict
from grader.engines.emulator.findings.coalescing import uncoalesced
from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.profile import Profiled
from grader.model.device import Device
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import reason
from grader.model.run import AccessSite, Counters, LineProfile

_DIVERGED_SHARE = 0.5
"""Least share of diverged executions of a reported branch. Branches that diverge only at the grid's edge stay below."""

_IDLE_NOTED, _IDLE_WARNED = 0.1, 0.3
"""Shares of idle lanes in a kernel from which its divergent branches are a note or a warning."""

_CONTENTION_NOTED, _CONTENTION_WARNED = 4.0, 16.0
"""Average lanes of a warp at one address from which an atomic is a note or a warning."""

_LOW_OCCUPANCY = 0.5
"""Share of an SM's warps below which the limiting resource is reported."""

_LIMITERS = {
    Limiter.REGISTERS: ("limiter-registers", "use-fewer-registers"),
    Limiter.SHARED_MEMORY: ("limiter-shared-memory", "use-less-shared-memory"),
    Limiter.BLOCKS: ("limiter-blocks", "use-larger-blocks"),
    Limiter.THREADS: ("limiter-threads", "use-dividing-block-size"),
}
"""Statements that name each limiter and advise on it."""


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
    recorded = RecordedAccesses(launches)
    found: list[Diagnostic | None] = []
    shared: dict[tuple[str | None, int | None], list[AccessSite]] = {}
    for site in kernel.sites:
        if site.requests == 0 or site.ideal == 0:
            continue
        if site.space == "global":
            found.append(uncoalesced(kernel.kernel, site, recorded))
        else:
            shared.setdefault((site.file, site.line), []).append(site)
    found += (bank_conflict(kernel.kernel, line, recorded) for line in shared.values())
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
        message=reason("branch-divergence", share=share, branches=line.branches, idle=idle),
        advice=reason("same-branch-for-warp"),
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
        message=reason("atomic-contention", lanes=lanes),
        advice=reason("combine-before-atomic"),
        kernel=kernel.kernel,
        file=line.file,
        line=line.line,
        count=line.atomic_requests,
    )


def _low_occupancy(kernel: Counters, launch: Profiled, device: Device) -> list[Diagnostic]:
    fit = occupancy(device, kernel.threads_per_block, kernel.registers, kernel.shared_bytes)
    if fit.fraction >= _LOW_OCCUPANCY:
        return []
    limiter, advice = _LIMITERS[fit.limiter]
    return [
        Diagnostic(
            kind=DiagnosticKind.OCCUPANCY,
            severity=Severity.NOTE,
            message=reason(
                "low-occupancy",
                active=fit.active_warps,
                most=device.max_warps_per_sm,
                device=device.name,
                limiter=reason(limiter),
            ),
            advice=reason(advice),
            kernel=kernel.kernel,
            file=launch.kernel.file,
            line=launch.kernel.line,
        )
    ]
