"""What the traffic of a line says about coalescing and bank conflicts."""

from collections.abc import Iterable

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.run import AccessSite, Counters

_UNCOALESCED_FROM = 1.5
"""Sectors over the ideal from which a line is mentioned; one sector more for a shifted row is not."""

_WORTH_MENDING = 4.0
"""The ratio from which it is a warning instead of a note."""

_TWICE = 2.0
"""From here on every access of a conflict takes twice as long, and it is a warning."""


def traffic_diagnostics(counters: Iterable[Counters]) -> list[Diagnostic]:
    """One diagnostic per line and direction."""
    found = []
    for kernel in counters:
        for site in kernel.sites:
            if site.requests == 0 or site.ideal == 0:
                continue
            ratio = site.transactions / site.ideal
            if site.space == "global" and ratio >= _UNCOALESCED_FROM:
                found.append(_uncoalesced(kernel.kernel, site, ratio))
            elif site.space == "shared" and site.transactions > site.ideal:
                found.append(_bank_conflict(kernel.kernel, site, ratio))
    return found


def _uncoalesced(kernel: str, site: AccessSite, ratio: float) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.UNCOALESCED,
        severity=Severity.WARNING if ratio >= _WORTH_MENDING else Severity.NOTE,
        message=(
            f"uncoalesced {'store' if site.store else 'load'}, {site.transactions / site.requests:.1f} sectors of"
            f" 32 bytes per request of a warp where {site.ideal / site.requests:.1f} would do"
        ),
        advice="let neighbouring threads use neighbouring elements",
        kernel=kernel,
        file=site.file,
        line=site.line,
        count=site.requests,
    )


def _bank_conflict(kernel: str, site: AccessSite, ratio: float) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.BANK_CONFLICT,
        severity=Severity.WARNING if ratio >= _TWICE else Severity.NOTE,
        message=(
            f"bank conflicts of {'stores' if site.store else 'loads'}, {ratio:.1f}-way on average, so each takes"
            f" {ratio:.1f} times as long"
        ),
        advice="pad the rows of the array by one element ([N][N+1])",
        kernel=kernel,
        file=site.file,
        line=site.line,
        count=site.requests,
    )
