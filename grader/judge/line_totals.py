"""Per-line counts of a submission, summed over all kernels that a plan launched."""

from collections.abc import Iterable
from dataclasses import replace

from grader.model.run import AccessSite, Counters, LineProfile


def total_lines(counters: Iterable[Counters]) -> tuple[LineProfile, ...]:
    """Sum by source line, in source order, because kernels may call the same function."""
    totals: dict[tuple[str, int], LineProfile] = {}
    for line in (line for kernel in counters for line in kernel.lines):
        key = (line.file or "", line.line or 0)
        known = totals.get(key)
        totals[key] = _line_sum(known, line) if known else line
    return tuple(totals[key] for key in sorted(totals))


def total_sites(counters: Iterable[Counters]) -> tuple[AccessSite, ...]:
    """Sum by memory space, line and direction, in source order."""
    totals: dict[tuple[str, int, str, bool], AccessSite] = {}
    for site in (site for kernel in counters for site in kernel.sites):
        key = (site.file or "", site.line or 0, site.space, site.store)
        known = totals.get(key)
        totals[key] = _site_sum(known, site) if known else site
    return tuple(totals[key] for key in sorted(totals))


def _line_sum(one: LineProfile, other: LineProfile) -> LineProfile:
    return LineProfile(
        file=one.file,
        line=one.line,
        warp_instructions=one.warp_instructions + other.warp_instructions,
        thread_instructions=one.thread_instructions + other.thread_instructions,
        branches=one.branches + other.branches,
        divergent_branches=one.divergent_branches + other.divergent_branches,
        atomic_requests=one.atomic_requests + other.atomic_requests,
        atomic_passes=one.atomic_passes + other.atomic_passes,
    )


def _site_sum(one: AccessSite, other: AccessSite) -> AccessSite:
    return replace(
        one,
        requests=one.requests + other.requests,
        transactions=one.transactions + other.transactions,
        ideal=one.ideal + other.ideal,
    )
