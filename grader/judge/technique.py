"""Check a kernel's technique by the effect of its memory accesses over the whole kernel, never by its source text.

What counts is what the bytes of each array do: shared memory is used if the values of global memory pass through it
from thread to thread, and access is coalesced if the bytes that move are used. So dead stores, dummy arrays, accesses
one lane at a time and idle blocks change nothing, and a dummy access that would change a share costs more time than the
technique itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.labs.manifest import TechniqueCheck, TechniqueRule
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.model.run import ArrayTraffic, Counters, SharedUse

STAGED_SHARE = 0.5
"""Least share of the loaded bytes with values that must pass through shared memory, unless the lab says otherwise."""

_EXCHANGED_SHARE = 0.25
"""Least bytes that threads read of each other through shared memory, per staged byte, in a kernel with a tile. A tile
has about 1, also if its elements are products of two arrays (1/2) or a block adds them up in a tree (1/4)."""

_LEAST_LOADERS = 1.5
"""Least threads that share the loads of a result, per thread that stores one, and least bytes staged per byte stored,
in a kernel that combines parts. A kernel that takes finished results through shared memory has 1, also if idle threads
load a little; two threads for each result have nearly 2."""

_MOST_LOADS = 4.0
"""Most bytes staged per byte of the arrays, unless threads read each several times. If every byte is loaded more often,
it is shared memory that should have kept it."""

_REUSE = 2.5
"""Least bytes that threads read from shared memory per staged byte, in a kernel that saves loads. A tile of 4 × 4 has
4, a stencil of three points nearly 3. A kernel that hands each element to one other thread has up to 2, as a warp may
load one word for many lanes."""

_REARRANGED = 1.4
"""Least sectors that warps would load without shared memory, over those that they load, in a kernel that loads in
another order than it computes. Transposing a tile of 8 × 8 has 2. A kernel in which threads hand elements on has 1, or
5/4 if the elements move on by one."""

_USEFUL_SHARE = 0.75
"""Useful bytes over moved ones from which an array counts as coalesced: of the five sectors of an unaligned row of a
warp four are useful, and the last warp of each row may have only a few lanes."""

_IN_VAIN_SHARE = 0.1
"""Bytes that an array moves in vain, over the bytes that the kernel needs to move, from which they matter. A result
for each row of a matrix stays below."""

_FEW_BYTES = 1024
"""Bytes moved in vain that never matter: the ends of the rows of a small case."""

_CONFLICTS_SHARE = 0.05
"""Wavefronts of an array of shared memory that are due to bank conflicts, from which they matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Shared memory of one kernel per block in bytes, and its counters on ``case``."""

    shared_bytes: int
    counters: Sequence[Counters]
    case: str | None = None

    def of(self, kernel: str) -> "Evidence":
        """The evidence of one kernel of several."""
        counters = [each for each in self.counters if each.kernel == kernel]
        shared = max((each.shared_bytes for each in counters), default=0)
        return Evidence(shared_bytes=shared, counters=counters, case=self.case)

    @property
    def shared_use(self) -> SharedUse:
        """The use of shared memory by all kernels of the run; the lines are those of the first that has any."""
        uses = [counters.shared_use for counters in self.counters if counters.shared_use is not None]
        return SharedUse(
            staged=sum(use.staged for use in uses),
            direct=sum(use.direct for use in uses),
            exchanged=sum(use.exchanged for use in uses),
            read=sum(use.read for use in uses),
            loaders=sum(use.loaders for use in uses),
            receivers=sum(use.receivers for use in uses),
            fetched=sum(use.fetched for use in uses),
            gathered=sum(use.gathered for use in uses),
            direct_at=next((use.direct_at for use in uses if use.direct_at), None),
            unread_at=next((use.unread_at for use in uses if use.unread_at), None),
        )

    @property
    def footprint(self) -> int:
        """The bytes of the arrays that the kernels were passed."""
        return sum(counters.footprint_bytes for counters in self.counters)

    def arrays(self, space: str) -> list[ArrayTraffic]:
        """The traffic of every array in ``space``."""
        return [array for counters in self.counters for array in counters.arrays if array.space == space]


def technique_flaw(rule: TechniqueRule, evidence: Evidence) -> Reason | None:
    """Why the kernel fails ``rule``, with the line that shows it; ``None`` if it passes."""
    return _CHECKS[rule.check](rule, evidence)


def _uses_shared(rule: TechniqueRule, evidence: Evidence) -> Reason | None:
    if evidence.shared_bytes == 0:
        return reason("has-no-shared-memory")
    if not any(counters.shared_requests for counters in evidence.counters):
        return reason("shared-memory-never-accessed")
    least = STAGED_SHARE if rule.at_least is None else rule.at_least
    return _misuse(evidence.shared_use, least, evidence)


def _misuse(use: SharedUse, least: float, evidence: Evidence) -> Reason | None:
    """Why values do not pass through shared memory as in a tile or a reduction; at least the share ``least`` must."""
    loaded = use.staged + use.direct
    if use.staged < least * loaded:
        return reason(
            "loads-past-shared-memory",
            location=use.direct_at or SourceLocation(),
            case=evidence.case,
            share=100 * use.staged / loaded,
            least=100 * least,
        )
    if use.exchanged == 0:
        return reason(
            "shared-memory-not-exchanged", location=use.unread_at or SourceLocation(), case=evidence.case
        )
    return None if _combines(use, evidence) else _no_tile(use, evidence)


def _no_tile(use: SharedUse, evidence: Evidence) -> Reason | None:
    """Why shared memory is not used as a tile that saves loads."""
    if not _passes_through(use, evidence):
        return reason(
            "little-through-shared-memory",
            case=evidence.case,
            exchanged=use.exchanged,
            loaded=_passing(use, evidence),
        )
    if _saves_loads(use):
        return None
    return reason(
        "nothing-gained-by-shared-memory",
        case=evidence.case,
        reads=use.read / use.staged,
        fetched=use.fetched,
        gathered=use.gathered,
    )


def _passing(use: SharedUse, evidence: Evidence) -> int:
    """The bytes that may pass through shared memory: those staged; in a kernel that loads nothing, those stored."""
    return use.staged or sum(array.useful for array in evidence.arrays("global") if array.store)


def _passes_through(use: SharedUse, evidence: Evidence) -> bool:
    """Whether most of what is loaded passes from thread to thread, as through a tile."""
    needed = use.staged <= _MOST_LOADS * evidence.footprint or use.read >= _REUSE * use.staged
    return needed and use.exchanged >= _EXCHANGED_SHARE * _passing(use, evidence)


def _saves_loads(use: SharedUse) -> bool:
    """Whether threads would move more of global memory if each loaded itself what it reads in shared memory."""
    return use.read >= _REUSE * use.staged or use.gathered >= _REARRANGED * use.fetched


def _combines(use: SharedUse, evidence: Evidence) -> bool:
    """Whether threads combine parts of each result, each of its own share of what is loaded, as in a reduction.

    Where the threads that store are few because each stores much, nothing is combined.
    """
    stored = sum(array.useful for array in evidence.arrays("global") if array.store)
    many = use.loaders >= _LEAST_LOADERS * use.receivers and use.staged >= _LEAST_LOADERS * stored
    return many and use.staged <= _MOST_LOADS * evidence.footprint


def _no_shared(_rule: TechniqueRule, evidence: Evidence) -> Reason | None:
    if evidence.shared_bytes or any(counters.shared_requests for counters in evidence.counters):
        return reason("uses-shared-memory", count=evidence.shared_bytes)
    return None


def _no_bank_conflicts(rule: TechniqueRule, evidence: Evidence) -> Reason | None:
    """Freedom from conflicts counts only in shared memory that is used."""
    unused = _uses_shared(rule, evidence)
    if unused is not None:
        return unused
    arrays = evidence.arrays("shared")
    conflicting = [array for array in arrays if _in_vain(array) > _CONFLICTS_SHARE * array.moved]
    if not conflicting:
        return None
    worst = max(conflicting, key=_in_vain)
    ratio = worst.moved / worst.useful
    return reason(
        "has-bank-conflicts", location=worst.location or SourceLocation(), case=evidence.case, ratio=ratio
    )


def _coalesced(_rule: TechniqueRule, evidence: Evidence) -> Reason | None:
    arrays = evidence.arrays("global")
    moved = sum(array.moved for array in arrays)
    needed = min(moved, evidence.footprint or moved)
    scattered = [
        array
        for array in arrays
        if array.useful < _USEFUL_SHARE * array.moved
        and _in_vain(array) > max(_IN_VAIN_SHARE * needed, _FEW_BYTES)
    ]
    if not scattered:
        return None
    worst = max(scattered, key=_in_vain)
    return reason(
        "stores-in-vain" if worst.store else "loads-in-vain",
        location=worst.location or SourceLocation(),
        case=evidence.case,
        array=worst.name,
        share=100 * worst.useful / worst.moved,
        least=100 * _USEFUL_SHARE,
    )


def _in_vain(array: ArrayTraffic) -> int:
    """What moves without use: bytes of global memory, or wavefronts of shared memory."""
    return array.moved - array.useful


_CHECKS: dict[TechniqueCheck, Callable[[TechniqueRule, Evidence], Reason | None]] = {
    TechniqueCheck.USES_SHARED: _uses_shared,
    TechniqueCheck.NO_SHARED: _no_shared,
    TechniqueCheck.NO_BANK_CONFLICTS: _no_bank_conflicts,
    TechniqueCheck.COALESCED: _coalesced,
}
