"""Bank conflicts, and the padding that removes them: tried on the addresses that were seen, never assumed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.engines.emulator.findings.addresses import Access
from grader.engines.emulator.findings.wavefronts import wavefronts
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.run import AccessSite

_WAVEFRONT_BYTES = 128

_TWICE = 2.0
"""From here on every access of a conflict takes twice as long, and it is a warning."""

_MOST_PADDING = 8
"""Elements by which rows are lengthened at most before a padding counts as none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """How an array is used: rows of ``length`` elements of ``width`` bytes."""

    length: int
    width: int

    def padded(self, address: int, padding: int) -> int:
        """Where an element lies when every row is ``padding`` elements longer."""
        row, rest = divmod(address, self.length * self.width)
        return row * (self.length + padding) * self.width + rest


def bank_conflict(
    kernel: str, line: Sequence[AccessSite], accesses: Sequence[Access], everywhere: Sequence[Access]
) -> Diagnostic | None:
    """What is wrong with the shared memory sites of one ``line``, its loads and its stores; ``None`` where nothing is.

    ``accesses`` are those of the kernel's line that were kept, ``everywhere`` those of the whole kernel.
    """
    sites = [site for site in line if site.transactions > site.ideal]
    if not sites:
        return None
    ratio = sum(site.transactions for site in sites) / sum(site.ideal for site in sites)
    met = [access for access in accesses if access.store in {site.store for site in sites}]
    arrays = {access.array_name for access in met if access.array}
    place = f" of {arrays.pop()}" if len(arrays) == 1 else ""
    what = " and ".join(
        "stores" if site.store else "loads" for site in sorted(sites, key=lambda site: site.store)
    )
    return Diagnostic(
        kind=DiagnosticKind.BANK_CONFLICT,
        severity=Severity.WARNING if ratio >= _TWICE else Severity.NOTE,
        message=f"bank conflicts in {what}{place}, {ratio:.1f}-way on average: each takes {ratio:.1f} times as long",
        advice=_advice(met, everywhere),
        kernel=kernel,
        file=sites[0].file,
        line=sites[0].line,
        count=sum(site.requests for site in sites),
    )


def _advice(accesses: Sequence[Access], everywhere: Sequence[Access]) -> str:
    costly = [access for access in accesses if _has_conflict(access, access.addresses)]
    array = costly[0].array if costly else None
    kept = (access for access in everywhere if array is not None and access.array == array)
    different = list({(access.lanes, access.addresses, access.size): access for access in kept}.values())
    rows = _rows(costly, different)
    if costly and all(_distance(access) == access.size for access in costly):
        return (
            "the rows that a warp uses at once begin in the same banks: let 32 neighbouring threads use one row, or"
            " make the rows as long as the block is wide"
        )
    if rows is None:
        steps = (
            " (in a reduction: s[t] += s[t + step], with a step that halves)" if _stride_grows(costly) else ""
        )
        return (
            "let neighbouring threads use neighbouring elements of shared memory, so that the lanes of a warp meet in"
            f" no bank{steps}"
        )
    padding = _padding(rows, different)
    if padding is None:
        return (
            f"rows longer by up to {_MOST_PADDING} elements than {rows.length} were tried, and none removes all"
            " conflicts of the accesses seen: let a warp use 32 neighbouring elements, or swizzle the column with the"
            " row (column ^ row)"
        )
    return (
        f"make the rows {rows.length + padding} elements long instead of {rows.length}: with that padding the accesses"
        " seen have no conflict"
    )


def _rows(costly: Sequence[Access], everywhere: Sequence[Access]) -> _Rows | None:
    """The rows that the lanes step through: the distance between neighbouring lanes, if it is a row's length.

    A distance of less than a quarter of the banks is a stride and no row; so is one that differs from access to access,
    as in a reduction with gaps, and one between whose elements nothing is ever used, of all accesses ``everywhere``.
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
    """The most common distance between neighbouring lanes, in bytes; 0 where all have one address."""
    return _most_common(abs(step) for step in _all_steps(access))


def _stride_grows(costly: Sequence[Access]) -> bool:
    """Whether the lanes step through the array by more than one distance."""
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
    """The least padding with which none of ``accesses`` has a conflict; ``None`` where there is none."""
    for padding in range(1, _MOST_PADDING + 1):
        if all(_is_free(rows, access, padding) for access in accesses):
            return padding
    return None


def _is_free(rows: _Rows, access: Access, padding: int) -> bool:
    moved = tuple(rows.padded(address, padding) for address in access.addresses)
    aligned = all(address % access.size == 0 for address in moved)
    return aligned and not _has_conflict(access, moved)


def _has_conflict(access: Access, addresses: Sequence[int]) -> bool:
    """Whether the access would take more wavefronts than it must, at ``addresses`` of its lanes."""
    needed, best = wavefronts(access.lanes, addresses, access.size, load=not access.store)
    return needed > best
