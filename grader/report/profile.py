"""Per-line figures of a kernel: the columns beside the source, and how its work spreads over the lines."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.report import KernelReport
from grader.report import quantities

WARP = 32

_NAMED_LINES = 5
_NAMED_FROM = 0.01
"""A bar names at most this many lines, each with at least this share; the others are summed up."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Warp-level ``requests``, the sectors or passes they took, and the fewest possible."""

    requests: int = 0
    taken: int = 0
    needed: int = 0

    @property
    def excess(self) -> float:
        """``taken`` over ``needed``; 0 without traffic."""
        return self.taken / self.needed if self.needed else 0.0

    @property
    def per_request(self) -> str:
        """``31.2 / 4``: taken per request, and the fewest possible."""
        return " / ".join(
            quantities.average(part / self.requests if self.requests else 0.0)
            for part in (self.taken, self.needed)
        )

    def __add__(self, other: "Traffic") -> "Traffic":
        return Traffic(self.requests + other.requests, self.taken + other.taken, self.needed + other.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFigures:
    """Figures of one source line; ``share`` (0..1) is its part of the kernel's warp instructions."""

    executed: int = 0
    share: float = 0.0
    idle: float | None = None
    sectors: Traffic = Traffic()
    passes: Traffic = Traffic()
    atomics: Traffic = Traffic()


class Tone(StrEnum):
    """What a shade stands for: work, or cost beyond the minimum possible."""

    WORK = "work"
    WASTE = "waste"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One figure per line, under ``heading``; ``summary`` names it for a whole kernel.

    ``text`` returns ``None`` where the line has no such operation. ``weight`` decides the shade: each of ``steps`` that
    it reaches makes the shade one level darker.
    """

    heading: Reason
    summary: Reason
    meaning: Reason
    tone: Tone
    text: Callable[[LineFigures], str | None]
    weight: Callable[[LineFigures], float]
    steps: tuple[float, ...]

    def shade(self, figures: LineFigures) -> int:
        """The level of the shade, from 0 (none) to the number of ``steps``."""
        return bisect_right(self.steps, self.weight(figures))


_SHARE_STEPS = (0.02, 0.05, 0.1, 0.2, 0.4)
_EXCESS_STEPS = (1.1, 1.5, 2.0, 4.0, 8.0)

COLUMNS = (
    Column(
        heading=reason("column-executed"),
        summary=reason("column-executed-summary"),
        meaning=reason("column-executed-meaning"),
        tone=Tone.WORK,
        text=lambda line: quantities.amount(line.executed) if line.executed else None,
        weight=lambda line: line.share,
        steps=_SHARE_STEPS,
    ),
    Column(
        heading=reason("column-idle"),
        summary=reason("column-idle-summary"),
        meaning=reason("column-idle-meaning"),
        tone=Tone.WASTE,
        text=lambda line: None if line.idle is None else quantities.percent(line.idle),
        weight=lambda line: (line.idle or 0.0) * line.share,
        steps=_SHARE_STEPS,
    ),
    Column(
        heading=reason("column-sectors"),
        summary=reason("column-sectors-summary"),
        meaning=reason("column-sectors-meaning"),
        tone=Tone.WASTE,
        text=lambda line: line.sectors.per_request if line.sectors.requests else None,
        weight=lambda line: line.sectors.excess,
        steps=_EXCESS_STEPS,
    ),
    Column(
        heading=reason("column-conflicts"),
        summary=reason("column-conflicts-summary"),
        meaning=reason("column-conflicts-meaning"),
        tone=Tone.WASTE,
        text=lambda line: f"{quantities.average(line.passes.excess)}×" if line.passes.requests else None,
        weight=lambda line: line.passes.excess,
        steps=_EXCESS_STEPS,
    ),
    Column(
        heading=reason("column-atomics"),
        summary=reason("column-atomics-summary"),
        meaning=reason("column-atomics-meaning"),
        tone=Tone.WASTE,
        text=lambda line: f"{quantities.average(line.atomics.excess)}×" if line.atomics.requests else None,
        weight=lambda line: line.atomics.excess,
        steps=_EXCESS_STEPS,
    ),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A line's share of some work, in percent; ``location`` is ``None`` for the sum of all other lines."""

    location: SourceLocation | None
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class WorkBreakdown:
    """One kind of work, its total, and its shares by line, the largest first."""

    name: Reason
    total: int
    shares: tuple[Share, ...]


def figures(kernel: KernelReport) -> dict[SourceLocation, LineFigures]:
    """The figures of every line of ``kernel``; empty where the kernel was not profiled."""
    executed: dict[SourceLocation, int] = defaultdict(int)
    active: dict[SourceLocation, int] = defaultdict(int)
    traffic: dict[tuple[str, SourceLocation], Traffic] = defaultdict(Traffic)
    for line in kernel.lines:
        location = SourceLocation(file=line.file, line=line.line)
        executed[location] += line.warp_instructions
        active[location] += line.thread_instructions
        traffic["atomic", location] += Traffic(line.atomic_requests, line.atomic_passes, line.atomic_requests)
    for site in kernel.sites:
        location = SourceLocation(file=site.file, line=site.line)
        traffic[site.space, location] += Traffic(site.requests, site.transactions, site.ideal)
    total = sum(executed.values())
    locations = {*executed, *(location for _, location in traffic)}
    return {
        location: LineFigures(
            executed=executed[location],
            share=executed[location] / total if total else 0.0,
            idle=1 - active[location] / (WARP * executed[location]) if executed[location] else None,
            sectors=traffic["global", location],
            passes=traffic["shared", location],
            atomics=traffic["atomic", location],
        )
        for location in locations
    }


def shown_columns(lines: Iterable[LineFigures]) -> tuple[Column, ...]:
    """The columns in which at least one of ``lines`` has a figure."""
    known = list(lines)
    return tuple(column for column in COLUMNS if any(column.text(line) is not None for line in known))


def total(lines: Iterable[LineFigures]) -> LineFigures:
    """The sum over all lines."""
    known = list(lines)
    executed = sum(line.executed for line in known)
    idle = sum((line.idle or 0.0) * line.executed for line in known)
    return LineFigures(
        executed=executed,
        share=1.0,
        idle=idle / executed if executed else None,
        sectors=sum((line.sectors for line in known), Traffic()),
        passes=sum((line.passes for line in known), Traffic()),
        atomics=sum((line.atomics for line in known), Traffic()),
    )


def work_breakdown(lines: Mapping[SourceLocation, LineFigures]) -> tuple[WorkBreakdown, ...]:
    """How a kernel's instructions, sectors and shared-memory passes spread over its lines."""
    kinds: tuple[tuple[Reason, Callable[[LineFigures], int]], ...] = (
        (reason("work-instructions"), lambda line: line.executed),
        (reason("work-sectors"), lambda line: line.sectors.taken),
        (reason("work-passes"), lambda line: line.passes.taken),
    )
    spread = ((name, {location: amount(line) for location, line in lines.items()}) for name, amount in kinds)
    return tuple(
        WorkBreakdown(name, sum(at.values()), _shares(at)) for name, at in spread if sum(at.values())
    )


def _shares(at: Mapping[SourceLocation, int]) -> tuple[Share, ...]:
    whole = sum(at.values())
    busiest = sorted(at, key=lambda location: (-at[location], location.file or "", location.line or 0))
    named = [location for location in busiest if location.line and at[location] >= _NAMED_FROM * whole][
        :_NAMED_LINES
    ]
    shares: list[Share] = []
    start = 0.0
    for location in named:
        shares.append(Share(location, start, 100 * at[location] / whole))
        start += shares[-1].length
    rest = whole - sum(at[location] for location in named)
    return (*shares, Share(None, start, 100 * rest / whole)) if rest else tuple(shares)
