"""Global memory accesses that touch more sectors than they need."""

from collections.abc import Sequence

from grader.engines.emulator.display_names import elements
from grader.engines.emulator.findings.addresses import Access
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.run import AccessSite

_NOTED_FROM = 1.5
"""Sectors over the ideal from which a line is mentioned; one sector more for a shifted row is not."""

_WARNED_FROM = 4.0
"""The ratio from which it is a warning instead of a note."""


def uncoalesced(kernel: str, site: AccessSite, accesses: Sequence[Access]) -> Diagnostic | None:
    """What is wrong with a site of global memory; ``accesses`` are those of it that were kept."""
    ratio = site.transactions / site.ideal
    if ratio < _NOTED_FROM:
        return None
    return Diagnostic(
        kind=DiagnosticKind.UNCOALESCED,
        severity=Severity.WARNING if ratio >= _WARNED_FROM else Severity.NOTE,
        message=(
            f"uncoalesced {'store' if site.store else 'load'}, {site.transactions / site.requests:.1f} sectors of"
            f" 32 bytes per request of a warp where {site.ideal / site.requests:.1f} would do{_stride(accesses)}"
        ),
        advice=(
            "let threadIdx.x choose the element within a row, so that neighbouring threads use neighbouring elements,"
            " or pass the data through a tile in shared memory"
        ),
        kernel=kernel,
        file=site.file,
        line=site.line,
        count=site.requests,
    )


def _stride(accesses: Sequence[Access]) -> str:
    """How far neighbouring threads are apart, if that is always the same."""
    steps = set().union(*(access.steps for access in accesses))
    sizes = {access.size for access in accesses}
    if len(steps) != 1 or len(sizes) != 1 or steps == {0}:
        return ""
    return f": neighbouring threads are {elements(abs(steps.pop()), sizes.pop())} apart"
