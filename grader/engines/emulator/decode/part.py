"""All instructions of a program with one operation, and queries on them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.decode.program import Program
from grader.engines.emulator.isa.cells import ROW_ALIGN

Longs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """The instructions of one operation, with their fields as 64 bits and the frames they work in.

    ``start`` and ``stop`` bound each one's function; ``bad`` marks those that break a rule.
    """

    program: Program
    code: NDArray[Any]
    frame: Longs
    start: Longs
    stop: Longs
    bad: NDArray[np.bool_]

    def field(self, name: str) -> Longs:
        """A field of every instruction."""
        values: Longs = self.code[name].astype(np.int64)
        return values

    def need(self, holds: NDArray[np.bool_]) -> None:
        """What does not hold for an instruction makes it bad."""
        self.bad[:] |= ~holds

    def one_of(self, name: str, allowed: tuple[int, ...]) -> None:
        """Need field ``name`` to be one of ``allowed``."""
        self.need(np.isin(self.field(name), allowed))

    def row(
        self, offset: Longs | str, size: Longs | int, *, constant: bool = False, optional: bool = False
    ) -> None:
        """Need ``size`` bytes at ``offset`` in the frame; or, where allowed, among the constants, or no row (-1)."""
        at = self.field(offset) if isinstance(offset, str) else offset
        holds = (at >= 0) & (at % ROW_ALIGN == 0) & (at + size <= self.frame)
        if constant:
            there = ~at
            holds |= (at < 0) & (there % ROW_ALIGN == 0) & (there + size <= len(self.program.constants))
        if optional:
            holds |= at == -1
        self.need(holds)

    def alone(self, index: int) -> "Part":
        """One of the instructions; what is found bad there is bad here."""
        one = slice(index, index + 1)
        return Part(
            self.program, self.code[one], self.frame[one], self.start[one], self.stop[one], self.bad[one]
        )

    def jump(self, target: Longs) -> None:
        """Need ``target`` to be code of the instruction's own function."""
        self.need((target >= self.start) & (target < self.stop))

    def listed(self, index: int) -> Longs:
        """Entries ``index`` of what the instructions' ``target`` starts in the operand list; 0 where there is none."""
        at = self.field("target") + index
        inside = (index < self.field("count")) & (at >= 0) & (at < len(self.program.operands))
        entries: Longs = np.where(inside, self.program.operands[np.where(inside, at, 0)], 0)
        return entries

    def list_fits(self, members: NDArray[np.bool_]) -> None:
        """Need the operand list to hold all that ``members`` of the instructions take from it."""
        first, count = self.field("target"), self.field("count")
        self.need(~members | ((first >= 0) & (count >= 0) & (first + count <= len(self.program.operands))))
