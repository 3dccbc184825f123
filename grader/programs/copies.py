"""Copies and fills: their checks, and the bytes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from grader.engines.touched import Access, Touched
from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import Reason, reason
from grader.programs.findings import Findings
from grader.programs.memory import ProgramMemory
from grader.programs.wire import Pending, Request, Site

Bytes = NDArray[np.uint8]


class Side(IntEnum):
    """What a pointer points to, as the runtime tells it apart."""

    PAGEABLE = 0
    SHARED = 1
    DEVICE = 2


_DIRECTIONS = {0: "host to host", 1: "host to device", 2: "device to host", 3: "device to device"}
"""The directions that a program may state; any other value leaves the choice to the runtime."""

_ARRAY_BITS = ((26, "target"), (27, "source"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A copy of ``rows`` rows of ``width`` bytes, ``target_pitch`` and ``source_pitch`` bytes apart.

    ``mover``: the first of the program's functions that move the pieces between its memory and the stage, for a copy
    that happens later; ``None`` otherwise. ``is_check``: it only asks whether the copy that follows is valid.
    ``of_arrays``: which of ``target`` and ``source`` are arrays, by a function for arrays.
    A copy of pageable memory comes in pieces: ``count`` bytes from ``at`` on, without the gaps between rows.
    """

    target: int
    source: int
    width: int
    rows: int
    target_pitch: int
    source_pitch: int
    stated: int
    to: Side
    of: Side
    is_async: bool
    is_check: bool
    of_arrays: frozenset[str]
    stream: int
    at: int
    count: int
    site: Site
    mover: int | None = None

    @classmethod
    def of_request(cls, asked: Request) -> "Copy":
        """The copy that a request asks for."""
        target, source, width, rows, target_pitch, source_pitch, flags, stream, at, count = asked.arguments[
            :10
        ]
        return cls(
            target=target,
            source=source,
            width=width,
            rows=rows,
            target_pitch=target_pitch,
            source_pitch=source_pitch,
            stated=flags & 0xFF,
            to=Side(min(flags >> 8 & 0xFF, 2)),
            of=Side(min(flags >> 16 & 0xFF, 2)),
            is_async=bool(flags >> 24 & 1),
            is_check=bool(flags >> 25 & 1),
            of_arrays=frozenset(role for bit, role in _ARRAY_BITS if flags >> bit & 1),
            stream=stream,
            at=at,
            count=count,
            site=asked.site,
            mover=asked.arguments[10] if flags >> 28 & 1 else None,
        )

    @property
    def size(self) -> int:
        """Bytes of the whole copy."""
        return self.width * self.rows

    @property
    def pieces(self) -> tuple["Copy", ...]:
        """The pieces of a copy of pageable memory that happens later; each is as long as ``count``."""
        return tuple(
            replace(self, at=at, count=min(self.count, self.size - at))
            for at in range(0, self.size, self.count)
        )

    @property
    def is_staged(self) -> bool:
        """Whether one side is pageable memory of the host."""
        return (self.to is Side.PAGEABLE) != (self.of is Side.PAGEABLE)

    @property
    def was_checked(self) -> bool:
        """Whether the program asked before: it does where it reads pageable memory, which may end too early."""
        return self.is_staged and self.of is Side.PAGEABLE

    @property
    def is_first(self) -> bool:
        """Whether this is the first piece."""
        return self.at == 0

    @property
    def is_last(self) -> bool:
        """Whether this is the last piece."""
        return self.at + self.count >= self.size

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The host's memory that the copy reads or writes later."""
        found = []
        if self.to is Side.SHARED:
            found.append(
                Pending(
                    address=self.target, size=_span(self.width, self.rows, self.target_pitch), is_written=True
                )
            )
        if self.of is Side.SHARED:
            found.append(
                Pending(
                    address=self.source,
                    size=_span(self.width, self.rows, self.source_pitch),
                    is_written=False,
                )
            )
        return tuple(found)

    @property
    def touched(self) -> tuple[Touched, ...]:
        """What the copy reads and writes of memory that the device knows."""
        sides = (
            (self.of, self.source, self.source_pitch, Access.READ),
            (self.to, self.target, self.target_pitch, Access.WRITE),
        )
        return tuple(
            Touched.rows(address, self.width, self.rows, pitch, access)
            for side, address, pitch, access in sides
            if side is not Side.PAGEABLE
        )


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
                and self.span(address, _span(copy.width, copy.rows, pitch), copy.site, role) is not None
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
        if data is None or start < 0 or start + _span(width, rows, pitch) > len(data):
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


def _span(width: int, rows: int, pitch: int) -> int:
    """Bytes from the first to the last byte of rows."""
    return (rows - 1) * pitch + width if rows and width else 0


def _assign(rows: Bytes, packed: Bytes) -> None:
    rows[:] = packed.reshape(rows.shape)


def _gather(packed: Bytes, rows: Bytes) -> None:
    packed[:] = rows.reshape(-1)
