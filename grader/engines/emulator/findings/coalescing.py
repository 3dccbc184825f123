"""Global memory accesses that touch more sectors than necessary."""

from collections.abc import Sequence

from grader.engines.emulator.display_names import elements_name
from grader.engines.emulator.findings.addresses import Access, RecordedAccesses, site_key
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason, reason
from grader.model.run import AccessSite

_NOTED_FROM = 1.5
"""Sectors over the ideal from which a line is reported. The extra sector of a shifted row stays below this ratio."""

_WARNED_FROM = 4.0
"""The ratio from which the finding is a warning instead of a note."""


def uncoalesced(kernel: str, site: AccessSite, recorded: RecordedAccesses) -> Diagnostic | None:
    """The finding for one access site, if its ratio is high enough; ``recorded`` are the kernel's accesses."""
    ratio = site.transactions / site.ideal
    if ratio < _NOTED_FROM:
        return None
    return Diagnostic(
        kind=DiagnosticKind.UNCOALESCED,
        severity=Severity.WARNING if ratio >= _WARNED_FROM else Severity.NOTE,
        message=reason(
            "uncoalesced-store" if site.store else "uncoalesced-load",
            traffic=_traffic(site, recorded.at({site_key(site)})),
        ),
        advice=reason("coalesce"),
        kernel=kernel,
        file=site.file,
        line=site.line,
        count=site.requests,
    )


def _traffic(site: AccessSite, accesses: Sequence[Access]) -> Reason:
    """Sectors per request, with the distance between neighbouring threads if it is always the same."""
    sectors, ideal = site.transactions / site.requests, site.ideal / site.requests
    steps = set().union(*(access.steps for access in accesses))
    sizes = {access.size for access in accesses}
    if len(steps) != 1 or len(sizes) != 1 or steps == {0}:
        return reason("sectors", sectors=sectors, ideal=ideal)
    stride = elements_name(abs(steps.pop()), sizes.pop())
    return reason("sectors-by-stride", sectors=sectors, ideal=ideal, stride=stride)
