"""A copy as a program asks for it: its sides, its rows, and what it touches."""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from grader.engines.touched import Access, Touched
from grader.programs.wire import Pending, Request, Site

Bytes = NDArray[np.uint8]


class Side(IntEnum):
    """What a pointer points to, as the runtime tells it apart."""

    PAGEABLE = 0
    SHARED = 1
    DEVICE = 2


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
                    address=self.target,
                    size=spanned(self.width, self.rows, self.target_pitch),
                    is_written=True,
                )
            )
        if self.of is Side.SHARED:
            found.append(
                Pending(
                    address=self.source,
                    size=spanned(self.width, self.rows, self.source_pitch),
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


def spanned(width: int, rows: int, pitch: int) -> int:
    """Bytes from the first to the last byte of rows."""
    return (rows - 1) * pitch + width if rows and width else 0
