"""Compute bank conflicts, and the padding that removes them, from recorded addresses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.engines.emulator.findings.addresses import Access, RecordedAccesses, site_key
from grader.engines.emulator.findings.wavefronts import wavefronts
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason, reason
from grader.model.run import AccessSite

_WAVEFRONT_BYTES = 128

_TWICE = 2.0
"""Wavefronts over the ideal from which a conflict is a warning instead of a note."""

_MOST_PADDING = 8
"""Largest padding of a row, in elements, that is tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """Layout of a shared array: rows of ``length`` elements of ``width`` bytes."""

    length: int
    width: int

    def padded(self, address: int, padding: int) -> int:
        """The address of an element after every row grows by ``padding`` elements."""
        row, rest = divmod(address, self.length * self.width)
        return row * (self.length + padding) * self.width + rest


def bank_conflict(kernel: str, line: Sequence[AccessSite], recorded: RecordedAccesses) -> Diagnostic | None:
    """The bank conflict of one source ``line``, over its loads and stores; ``None`` if it has none.

    ``recorded`` are the accesses of the whole kernel.
    """
    sites = [site for site in line if site.transactions > site.ideal]
    if not sites:
        return None
    ratio = sum(site.transactions for site in sites) / sum(site.ideal for site in sites)
    conflicting = recorded.at({site_key(site) for site in sites})
    return Diagnostic(
        kind=DiagnosticKind.BANK_CONFLICT,
        severity=Severity.WARNING if ratio >= _TWICE else Severity.NOTE,
        message=reason("bank-conflict", accesses=_accesses(sites, conflicting), ratio=ratio),
        advice=_advice(conflicting, recorded.everywhere),
        kernel=kernel,
        file=sites[0].file,
        line=sites[0].line,
        count=sum(site.requests for site in sites),
    )


def _accesses(sites: Sequence[AccessSite], conflicting: Sequence[Access]) -> Reason:
    """Loads, stores or both, and their array if there is only one."""
    accesses = tuple(
        reason("stores" if store else "loads") for store in sorted({site.store for site in sites})
    )
    arrays = {access.array_name for access in conflicting if access.array_name is not None}
    if len(arrays) == 1:
        return reason("accesses-of-array", accesses=accesses, array=arrays.pop())
    return reason("accesses", accesses=accesses)


def _advice(accesses: Sequence[Access], everywhere: Sequence[Access]) -> Reason:
    costly = [access for access in accesses if _has_conflict(access, access.addresses)]
    array = costly[0].array if costly else None
    kept = (access for access in everywhere if array is not None and access.array == array)
    different = list({(access.lanes, access.addresses, access.size): access for access in kept}.values())
    rows = _rows(costly, different)
    if costly and all(_distance(access) == access.size for access in costly):
        return reason("use-one-row")
    if rows is None:
        return reason("use-neighbours-in-reduction" if _stride_grows(costly) else "use-neighbours")
    padding = _padding(rows, different)
    if padding is None:
        return reason("swizzle-rows", length=rows.length, tried=_MOST_PADDING)
    return reason("pad-rows", length=rows.length, padded=rows.length + padding)


def _rows(costly: Sequence[Access], everywhere: Sequence[Access]) -> _Rows | None:
    """The row length, taken from the distance between neighbouring lanes; ``None`` if that distance is only a stride.

    It is a stride if it is less than a quarter of the banks, if it differs between accesses (as in a reduction with
    gaps), or if no access in ``everywhere`` uses the elements between.
    """
    widths = {access.size for access in costly}
    arrays = {access.array for access in costly}
    distances = {distance for access in costly if (distance := _distance(access))}
    if len(widths) != 1 or len(arrays) != 1 or len(distances) != 1:
        return None
    width, distance, array = widths.pop(), distances.pop(), arrays.pop()
    length, rest = divmod(distance, width)
    if rest or distance < _WAVEFRONT_BYTES // 4:
        return None
    columns = {address % distance for access in everywhere for address in access.addresses}
    is_whole = array is not None and (array.size is None or array.size % distance == 0)
    return _Rows(length=length, width=width) if is_whole and len(columns) > 1 else None


def _distance(access: Access) -> int:
    """The most common distance between neighbouring lanes, in bytes; 0 if all use one address."""
    return _most_common(abs(step) for step in _all_steps(access))


def _stride_grows(costly: Sequence[Access]) -> bool:
    """Whether the accesses have more than one distance between neighbouring lanes."""
    return len({_distance(access) for access in costly} - {0}) > 1


def _all_steps(access: Access) -> Iterable[int]:
    pairs = zip(access.lanes, access.addresses, access.lanes[1:], access.addresses[1:], strict=False)
    return (after - before for lane, before, other, after in pairs if other == lane + 1 and after != before)


def _most_common(values: Iterable[int]) -> int:
    counts: dict[int, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=lambda value: (counts[value], value), default=0)


def _padding(rows: _Rows, accesses: Sequence[Access]) -> int | None:
    """The smallest padding that removes all conflicts of ``accesses``; ``None`` if there is none."""
    for padding in range(1, _MOST_PADDING + 1):
        if all(_is_free(rows, access, padding) for access in accesses):
            return padding
    return None


def _is_free(rows: _Rows, access: Access, padding: int) -> bool:
    moved = tuple(rows.padded(address, padding) for address in access.addresses)
    aligned = all(address % access.size == 0 for address in moved)
    return aligned and not _has_conflict(access, moved)


def _has_conflict(access: Access, addresses: Sequence[int]) -> bool:
    """Whether the access takes more wavefronts than the ideal if its lanes use ``addresses``."""
    needed, best = wavefronts(access.lanes, addresses, access.size, load=not access.store)
    return needed > best
