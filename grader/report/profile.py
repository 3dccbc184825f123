"""What each source line of a kernel did: the columns beside the source, and where the kernel's work lies."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.model.diagnostic import SourceLocation
from grader.model.report import KernelReport
from grader.report import quantities

WARP = 32

_NAMED_LINES = 5
_NAMED_FROM = 0.01
"""How many lines a bar of work names at most, and from which part on; the others share what is left."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Warp-level ``requests``, the sectors or passes they took, and how many they needed at best."""

    requests: int = 0
    taken: int = 0
    needed: int = 0

    @property
    def excess(self) -> float:
        """How many times what was needed was taken; 0 where nothing was."""
        return self.taken / self.needed if self.needed else 0.0

    @property
    def per_request(self) -> str:
        """``31.2 / 4``: taken by one request, and needed at best."""
        return " / ".join(
            quantities.average(part / self.requests if self.requests else 0.0)
            for part in (self.taken, self.needed)
        )

    def __add__(self, other: "Traffic") -> "Traffic":
        return Traffic(self.requests + other.requests, self.taken + other.taken, self.needed + other.needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFigures:
    """One source line's part in a kernel; ``share`` is its part (0..1) of the kernel's warp instructions."""

    executed: int = 0
    share: float = 0.0
    idle: float | None = None
    sectors: Traffic = Traffic()
    passes: Traffic = Traffic()
    atomics: Traffic = Traffic()


class Tone(StrEnum):
    """What a shade stands for: where the work is, or what it costs beyond the least possible."""

    WORK = "work"
    WASTE = "waste"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A figure that stands beside each line, under ``heading``; ``summary`` names it for a whole kernel.

    ``text`` is the figure, ``None`` where the line does nothing of the kind. ``weight`` is what its shade goes by:
    ``steps`` are the weights from which on it is darker.
    """

    heading: str
    summary: str
    meaning: str
    tone: Tone
    text: Callable[[LineFigures], str | None]
    weight: Callable[[LineFigures], float]
    steps: tuple[float, ...]

    def shade(self, figures: LineFigures) -> int:
        """How dark: 0 for not at all, up to the number of ``steps``."""
        return bisect_right(self.steps, self.weight(figures))


_SHARE_STEPS = (0.02, 0.05, 0.1, 0.2, 0.4)
_EXCESS_STEPS = (1.1, 1.5, 2.0, 4.0, 8.0)

COLUMNS = (
    Column(
        heading="executed",
        summary="Warp instructions",
        meaning="warp instructions that the line carried out; shaded by its share of the kernel's",
        tone=Tone.WORK,
        text=lambda line: quantities.amount(line.executed) if line.executed else None,
        weight=lambda line: line.share,
        steps=_SHARE_STEPS,
    ),
    Column(
        heading="idle",
        summary="Idle lanes",
        meaning="share of a warp's 32 lanes that were switched off meanwhile: branches that only some lanes take, "
        "or threads without work; shaded by what the kernel loses to it",
        tone=Tone.WASTE,
        text=lambda line: None if line.idle is None else quantities.percent(line.idle),
        weight=lambda line: (line.idle or 0.0) * line.share,
        steps=_SHARE_STEPS,
    ),
    Column(
        heading="sectors",
        summary="Sectors per access",
        meaning="32-byte sectors of global memory that one access of a warp touched / how few would do",
        tone=Tone.WASTE,
        text=lambda line: line.sectors.per_request if line.sectors.requests else None,
        weight=lambda line: line.sectors.excess,
        steps=_EXCESS_STEPS,
    ),
    Column(
        heading="conflicts",
        summary="Bank conflicts",
        meaning="how many times as long an access to shared memory took because lanes met in one bank; "
        "1× is free of conflicts",
        tone=Tone.WASTE,
        text=lambda line: f"{quantities.average(line.passes.excess)}×" if line.passes.requests else None,
        weight=lambda line: line.passes.excess,
        steps=_EXCESS_STEPS,
    ),
    Column(
        heading="atomics",
        summary="Atomic passes",
        meaning="how many lanes of a warp an atomic served one after the other, because they shared an address",
        tone=Tone.WASTE,
        text=lambda line: f"{quantities.average(line.atomics.excess)}×" if line.atomics.requests else None,
        weight=lambda line: line.atomics.excess,
        steps=_EXCESS_STEPS,
    ),
)


@dataclass(frozen=True, slots=True)
class Share:
    """A line's part of some work, in hundredths; ``place`` is ``None`` for all lines that are not named."""

    place: SourceLocation | None
    start: float
    length: float


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work, its total, and how it is spread over the lines, the busiest first."""

    name: str
    total: int
    shares: tuple[Share, ...]


def figures(kernel: KernelReport) -> dict[SourceLocation, LineFigures]:
    """What every line of ``kernel`` did, by its place; empty where the kernel was not observed."""
    executed: dict[SourceLocation, int] = defaultdict(int)
    active: dict[SourceLocation, int] = defaultdict(int)
    traffic: dict[tuple[str, SourceLocation], Traffic] = defaultdict(Traffic)
    for line in kernel.lines:
        place = SourceLocation(file=line.file, line=line.line)
        executed[place] += line.warp_instructions
        active[place] += line.thread_instructions
        traffic["atomic", place] += Traffic(line.atomic_requests, line.atomic_passes, line.atomic_requests)
    for site in kernel.sites:
        place = SourceLocation(file=site.file, line=site.line)
        traffic[site.space, place] += Traffic(site.requests, site.transactions, site.ideal)
    total = sum(executed.values())
    places = {*executed, *(place for _, place in traffic)}
    return {
        place: LineFigures(
            executed=executed[place],
            share=executed[place] / total if total else 0.0,
            idle=1 - active[place] / (WARP * executed[place]) if executed[place] else None,
            sectors=traffic["global", place],
            passes=traffic["shared", place],
            atomics=traffic["atomic", place],
        )
        for place in places
    }


def shown_columns(lines: Iterable[LineFigures]) -> tuple[Column, ...]:
    """The columns in which at least one of ``lines`` has something to show."""
    known = list(lines)
    return tuple(column for column in COLUMNS if any(column.text(line) is not None for line in known))


def total(lines: Iterable[LineFigures]) -> LineFigures:
    """All lines as one."""
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


def work(lines: Mapping[SourceLocation, LineFigures]) -> tuple[Work, ...]:
    """How the instructions, sectors and shared-memory passes of a kernel are spread over its lines."""
    kinds: tuple[tuple[str, Callable[[LineFigures], int]], ...] = (
        ("warp instructions", lambda line: line.executed),
        ("sectors of global memory", lambda line: line.sectors.taken),
        ("passes through shared memory", lambda line: line.passes.taken),
    )
    spread = ((name, {place: amount(line) for place, line in lines.items()}) for name, amount in kinds)
    return tuple(Work(name, sum(at.values()), _shares(at)) for name, at in spread if sum(at.values()))


def _shares(at: Mapping[SourceLocation, int]) -> tuple[Share, ...]:
    whole = sum(at.values())
    busiest = sorted(at, key=lambda place: (-at[place], place.file or "", place.line or 0))
    named = [place for place in busiest if place.line and at[place] >= _NAMED_FROM * whole][:_NAMED_LINES]
    shares: list[Share] = []
    start = 0.0
    for place in named:
        shares.append(Share(place, start, 100 * at[place] / whole))
        start += shares[-1].length
    rest = whole - sum(at[place] for place in named)
    return (*shares, Share(None, start, 100 * rest / whole)) if rest else tuple(shares)
