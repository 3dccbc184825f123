"""Check a kernel's technique by its resources and memory accesses, never by its source text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.labs.manifest import TechniqueCheck
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.run import AccessSite, Counters

COALESCED_SLACK = 1.25
"""Sectors per ideal sector up to which global access counts as coalesced: unaligned row starts cost one extra."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Shared memory of one kernel per block in bytes, and its counters on ``case``."""

    shared_bytes: int
    counters: Sequence[Counters]
    case: str | None = None


def technique_flaw(check: TechniqueCheck, evidence: Evidence) -> Reason | None:
    """Why the kernel fails ``check``, with the line that shows it; ``None`` if it passes."""
    return _CHECKS[check](evidence)


def _uses_shared(evidence: Evidence) -> Reason | None:
    if evidence.shared_bytes == 0:
        return reason("has-no-shared-memory")
    if not any(counters.shared_requests for counters in evidence.counters):
        return reason("shared-memory-never-accessed")
    return None


def _no_shared(evidence: Evidence) -> Reason | None:
    if evidence.shared_bytes or any(counters.shared_requests for counters in evidence.counters):
        return reason("uses-shared-memory", count=evidence.shared_bytes)
    return None


def _no_bank_conflicts(evidence: Evidence) -> Reason | None:
    worst = _worst(evidence, "shared")
    if worst is None:
        return reason("shared-memory-never-accessed")
    if worst.transactions <= worst.ideal:
        return None
    ratio = worst.transactions / worst.ideal
    return reason("has-bank-conflicts", location=_location(worst), case=evidence.case, ratio=ratio)


def _coalesced(evidence: Evidence) -> Reason | None:
    worst = _worst(evidence, "global")
    if worst is None or worst.transactions <= worst.ideal * COALESCED_SLACK:
        return None
    return reason(
        "not-coalesced",
        location=_location(worst),
        case=evidence.case,
        sectors=worst.transactions / worst.requests,
        ideal=worst.ideal / worst.requests,
    )


def _worst(evidence: Evidence, space: str) -> AccessSite | None:
    sites = [
        site
        for counters in evidence.counters
        for site in counters.sites
        if site.space == space and site.ideal
    ]
    return max(sites, key=lambda site: site.transactions / site.ideal, default=None)


def _location(site: AccessSite) -> SourceLocation:
    return SourceLocation(file=site.file, line=site.line)


_CHECKS: dict[TechniqueCheck, Callable[[Evidence], Reason | None]] = {
    TechniqueCheck.USES_SHARED: _uses_shared,
    TechniqueCheck.NO_SHARED: _no_shared,
    TechniqueCheck.NO_BANK_CONFLICTS: _no_bank_conflicts,
    TechniqueCheck.COALESCED: _coalesced,
}
