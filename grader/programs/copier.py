"""Copies and fills: their checks, and the bytes."""

from collections.abc import Callable

from numpy.lib.stride_tricks import as_strided

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import Reason, reason
from grader.programs.copies import Bytes, Copy, Side, spanned
from grader.programs.findings import Findings
from grader.programs.memory import ProgramMemory
from grader.programs.wire import Site

_DIRECTIONS = {0: "host to host", 1: "host to device", 2: "device to host", 3: "device to device"}
"""The directions that a program may state; any other value leaves the choice to the runtime."""


class Copier:
    """Checks copies against the program's allocations, and moves their bytes."""

    def __init__(self, memory: ProgramMemory, findings: Findings) -> None:
        self._memory = memory
        self._findings = findings

    def is_valid(self, copy: Copy) -> bool:
        """Whether the copy keeps to its direction and to its memory; if not, that is noted."""
        return self._keeps_direction(copy) and all(
            side is Side.PAGEABLE
            or (
                self._is_reached_rightly(copy, address, role)
                and self.span(address, spanned(copy.width, copy.rows, pitch), copy.site, role) is not None
            )
            for address, side, pitch, role in (
                (copy.target, copy.to, copy.target_pitch, "target"),
                (copy.source, copy.of, copy.source_pitch, "source"),
            )
        )

    def move(self, copy: Copy) -> None:
        """Move the bytes of a copy, or of its piece."""
        if Side.PAGEABLE is copy.to is copy.of:
            return
        stage = self._memory.arena.stage
        if copy.of is Side.PAGEABLE:
            self._piece(copy, copy.target, copy.target_pitch, lambda rows: _assign(rows, stage[: copy.count]))
        elif copy.to is Side.PAGEABLE:
            self._piece(copy, copy.source, copy.source_pitch, lambda rows: _gather(stage[: copy.count], rows))
        else:
            target = self._rows(copy.target, copy.width, copy.rows, copy.target_pitch)
            source = self._rows(copy.source, copy.width, copy.rows, copy.source_pitch)
            if target is not None and source is not None:
                target[:] = source.copy()
        if copy.to is not Side.PAGEABLE:
            self._memory.note_written(copy.target)

    def fill(self, address: int, value: int, width: int, rows: int, pitch: int) -> None:
        """Set bytes of the device's memory."""
        target = self._rows(address, width, rows, pitch)
        if target is not None:
            target[:] = value
            self._memory.note_written(address)

    def span(self, address: int, size: int, site: Site, role: str) -> Bytes | None:
        """``size`` bytes at ``address``; ``None``, with a note, where they are not all inside one allocation.

        ``role`` is ``target`` or ``source``.
        """
        found = self._memory.find(address)
        if found is None:
            return self._variable(address, size, site, role)
        if found.released is not None:
            problem = reason("copy-of-freed", role=role, name=found.name)
            self._findings.error(DiagnosticKind.HOST_COPY, site, problem, None, found.released)
            return None
        if address < found.address or address + size > found.end:
            beyond = max(found.address - address, address + size - found.end)
            problem = reason(
                "copy-beyond", role=role, name=found.name, beyond=beyond, size=found.size, count=beyond
            )
            advice = reason("sizes-are-bytes")
            self._findings.error(DiagnosticKind.HOST_COPY, site, problem, advice, found.location)
            return None
        return found.data

    def _is_reached_rightly(self, copy: Copy, address: int, role: str) -> bool:
        """Whether the function of a copy is one for arrays where the memory is an array; if not, that is noted."""
        found = self._memory.find(address)
        if found is None or found.shape is None or role in copy.of_arrays:
            return True
        self._refuse(copy.site, reason("array-as-pointer", name=found.name), reason("copy-array-by"))
        return False

    def _variable(self, address: int, size: int, site: Site, role: str) -> Bytes | None:
        """As ``span``, for a variable of the device."""
        region = self._memory.variable(address)
        if region is None:
            self._refuse(site, reason("copy-of-unknown", role=role))
            return None
        beyond = address - self._memory.variable_origin(address) + size - len(region.data)
        if beyond > 0:
            name, whole = region.name, len(region.data)
            problem = reason("copy-beyond", role=role, name=name, beyond=beyond, size=whole, count=beyond)
            self._refuse(site, problem, reason("sizes-are-bytes"))
            return None
        return region.data

    def _keeps_direction(self, copy: Copy) -> bool:
        stated = _DIRECTIONS.get(copy.stated)
        if stated is None:
            return True
        is_in, is_out = copy.to is Side.DEVICE, copy.of is Side.DEVICE
        managed = any(_is_managed(self._memory, address) for address in (copy.target, copy.source))
        actual = _DIRECTIONS[is_in + 2 * is_out]
        if stated == actual or managed:
            return True
        self._refuse(
            copy.site, reason("copy-direction", stated=stated, actual=actual), reason("target-comes-first")
        )
        return False

    def _refuse(self, site: Site, problem: Reason, advice: Reason | None = None) -> None:
        self._findings.error(DiagnosticKind.HOST_COPY, site, problem, advice)

    def _piece(self, copy: Copy, address: int, pitch: int, move: Callable[[Bytes], None]) -> None:
        """Hand the rows of a piece to ``move``."""
        if copy.rows == 1:
            rows = self._rows(address + copy.at, copy.count, 1, copy.count)
        else:
            first, count = copy.at // copy.width, copy.count // copy.width
            rows = self._rows(address + first * pitch, copy.width, count, pitch)
        if rows is not None:
            move(rows)

    def _rows(self, address: int, width: int, rows: int, pitch: int) -> Bytes | None:
        """A view of rows; ``None`` where they are not inside one allocation any more."""
        data, start = self._bytes(address)
        if data is None or start < 0 or start + spanned(width, rows, pitch) > len(data):
            return None
        return as_strided(data[start:], (rows, width), (pitch, 1)) if width else data[:0].reshape(rows, 0)

    def _bytes(self, address: int) -> tuple[Bytes | None, int]:
        found = self._memory.find(address)
        if found is not None and found.freed is None:
            return found.data, address - found.address
        region = self._memory.variable(address)
        if region is None:
            return None, 0
        return region.data, address - self._memory.variable_origin(address)


def _is_managed(memory: ProgramMemory, address: int) -> bool:
    found = memory.find(address)
    return found is not None and found.kind.is_managed


def _assign(rows: Bytes, packed: Bytes) -> None:
    rows[:] = packed.reshape(rows.shape)


def _gather(packed: Bytes, rows: Bytes) -> None:
    packed[:] = rows.reshape(-1)
