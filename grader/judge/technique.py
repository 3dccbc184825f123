"""Check a kernel's technique by its resources and memory accesses, never by its source text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.labs.manifest import TechniqueCheck
from grader.model.run import AccessSite, Counters

COALESCED_SLACK = 1.25
"""Sectors per ideal sector up to which global access counts as coalesced: unaligned row starts cost one extra."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Shared memory of one kernel per block in bytes, and its counters on one case."""

    shared_bytes: int
    counters: Sequence[Counters]


def technique_flaw(check: TechniqueCheck, evidence: Evidence) -> str | None:
    """Why the kernel fails ``check``, with the line that shows it; ``None`` if it passes."""
    return _CHECKS[check](evidence)


def _uses_shared(evidence: Evidence) -> str | None:
    if evidence.shared_bytes == 0:
        return "it has no shared memory"
    if not any(counters.shared_requests for counters in evidence.counters):
        return "it declares shared memory but never touches it"
    return None


def _no_shared(evidence: Evidence) -> str | None:
    if evidence.shared_bytes or any(counters.shared_requests for counters in evidence.counters):
        return f"it uses {evidence.shared_bytes} bytes of shared memory"
    return None


def _no_bank_conflicts(evidence: Evidence) -> str | None:
    worst = _worst(evidence, "shared")
    if worst is None:
        return "it never touches shared memory"
    if worst.transactions <= worst.ideal:
        return None
    return (
        f"shared memory is {worst.transactions / worst.ideal:.1f} times as slow as it could be at {_location(worst)}: "
        "several threads of a warp access the same bank"
    )


def _coalesced(evidence: Evidence) -> str | None:
    worst = _worst(evidence, "global")
    if worst is None or worst.transactions <= worst.ideal * COALESCED_SLACK:
        return None
    return (
        f"a warp touches {worst.transactions / worst.requests:.1f} sectors per access at {_location(worst)}, "
        f"{worst.ideal / worst.requests:.1f} would do"
    )


def _worst(evidence: Evidence, space: str) -> AccessSite | None:
    sites = [
        site
        for counters in evidence.counters
        for site in counters.sites
        if site.space == space and site.ideal
    ]
    return max(sites, key=lambda site: site.transactions / site.ideal, default=None)


def _location(site: AccessSite) -> str:
    return f"line {site.line}" if site.line else "an unknown line"


_CHECKS: dict[TechniqueCheck, Callable[[Evidence], str | None]] = {
    TechniqueCheck.USES_SHARED: _uses_shared,
    TechniqueCheck.NO_SHARED: _no_shared,
    TechniqueCheck.NO_BANK_CONFLICTS: _no_bank_conflicts,
    TechniqueCheck.COALESCED: _coalesced,
}
