"""Bank conflicts, and the padding that removes them: tried on the addresses that were seen, never assumed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.engines.emulator.findings.addresses import Access
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.run import AccessSite

_BANKS = 32
_BANK_BYTES = 4
_WAVEFRONT_BYTES = _BANKS * _BANK_BYTES

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
    kernel: str, site: AccessSite, accesses: Sequence[Access], everywhere: Sequence[Access]
) -> Diagnostic | None:
    """What is wrong with a site of shared memory; ``None`` where nothing is.

    ``accesses`` are those of the site that were kept, ``everywhere`` those of the whole kernel.
    """
    if site.transactions <= site.ideal:
        return None
    ratio = site.transactions / site.ideal
    arrays = {access.array_name for access in accesses if access.array}
    place = f" of {arrays.pop()}" if len(arrays) == 1 else ""
    return Diagnostic(
        kind=DiagnosticKind.BANK_CONFLICT,
        severity=Severity.WARNING if ratio >= _TWICE else Severity.NOTE,
        message=(
            f"bank conflicts in {'stores' if site.store else 'loads'}{place}, {ratio:.1f}-way on average: each takes"
            f" {ratio:.1f} times as long"
        ),
        advice=_advice(accesses, everywhere),
        kernel=kernel,
        file=site.file,
        line=site.line,
        count=site.requests,
    )


def _advice(accesses: Sequence[Access], everywhere: Sequence[Access]) -> str:
    costly = [access for access in accesses if access.cost > _best(access)]
    rows = _rows(costly)
    if rows is None:
        return (
            "let neighbouring threads use neighbouring elements of shared memory, so that the lanes of a warp meet in"
            " no bank"
        )
    array = costly[0].array
    kept = (access for access in everywhere if access.array == array)
    different = {(access.lanes, access.addresses, access.size): access for access in kept}
    padding = _padding(rows, list(different.values()))
    if padding is None:
        return (
            f"no padding of the rows of {rows.length} elements by up to {_MOST_PADDING} removes all conflicts of the"
            " accesses seen: let a warp use 32 neighbouring elements, or swizzle the column with the row"
            " (column ^ row)"
        )
    return (
        f"make the rows {rows.length + padding} elements long instead of {rows.length}: with that padding the accesses"
        " seen have no conflict"
    )


def _rows(costly: Sequence[Access]) -> _Rows | None:
    """The rows that the lanes step through: the one distance between neighbouring lanes, if it is a row's length.

    A distance of less than a quarter of the banks is a stride, as in a reduction with gaps, and no row.
    """
    steps = {abs(step) for access in costly for step in access.steps} - {0}
    widths = {access.size for access in costly}
    arrays = {access.array for access in costly}
    if len(widths) != 1 or len(arrays) != 1 or not steps:
        return None
    width = widths.pop()
    most = _most_common(abs(step) for access in costly for step in _all_steps(access))
    length, rest = divmod(most, width)
    if rest or most < _WAVEFRONT_BYTES // 4:
        return None
    array = next(iter(arrays))
    is_whole = array is not None and (array.size is None or array.size % most == 0)
    return _Rows(length=length, width=width) if is_whole else None


def _all_steps(access: Access) -> Iterable[int]:
    pairs = zip(access.lanes, access.addresses, access.lanes[1:], access.addresses[1:], strict=False)
    return (after - before for lane, before, other, after in pairs if other == lane + 1 and after != before)


def _most_common(values: Iterable[int]) -> int:
    counts: dict[int, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return max(counts, key=lambda value: (counts[value], value), default=0)


def _padding(rows: _Rows, accesses: Sequence[Access]) -> int | None:
    """The least padding with which none of ``accesses`` has a conflict; ``None`` where there is none.

    There is none either where counting again does not give what was counted: then the rule is not the hardware's.
    """
    if any(_wavefronts(access.lanes, access.addresses, access.size) != access.cost for access in accesses):
        return None
    for padding in range(1, _MOST_PADDING + 1):
        if all(_is_free(rows, access, padding) for access in accesses):
            return padding
    return None


def _is_free(rows: _Rows, access: Access, padding: int) -> bool:
    moved = tuple(rows.padded(address, padding) for address in access.addresses)
    aligned = all(address % access.size == 0 for address in moved)
    return aligned and _wavefronts(access.lanes, moved, access.size) <= _best(access)


def _best(access: Access) -> int:
    """Wavefronts without any conflict."""
    return len(_parts(access.lanes, access.size))


def _parts(lanes: Sequence[int], size: int) -> dict[int, list[int]]:
    """The indices of the lanes that are served together: a whole warp, or what moves 128 bytes."""
    together = _WAVEFRONT_BYTES // max(size, _BANK_BYTES)
    parts: dict[int, list[int]] = {}
    for index, lane in enumerate(lanes):
        parts.setdefault(lane // together, []).append(index)
    return parts


def _wavefronts(lanes: Sequence[int], addresses: Sequence[int], size: int) -> int:
    """Passes that an access needs: for each part the most different words in one bank."""
    total = 0
    for part in _parts(lanes, size).values():
        words = {
            word
            for index in part
            for word in range(
                addresses[index] // _BANK_BYTES, (addresses[index] + size - 1) // _BANK_BYTES + 1
            )
        }
        banks = [word % _BANKS for word in words]
        total += max(map(banks.count, banks))
    return total
