"""All instructions of a program that have the same operation, and checks on them."""

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

    ``start`` and ``stop`` bound the function of each instruction; ``bad`` marks instructions that break a rule.
    """

    program: Program
    code: NDArray[Any]
    frame: Longs
    start: Longs
    stop: Longs
    bad: NDArray[np.bool_]

    def field(self, name: str) -> Longs:
        """The values of a field, one for each instruction."""
        values: Longs = self.code[name].astype(np.int64)
        return values

    def need(self, holds: NDArray[np.bool_]) -> None:
        """Mark the instructions as bad for which ``holds`` is false."""
        self.bad[:] |= ~holds

    def one_of(self, name: str, allowed: tuple[int, ...]) -> None:
        """Require field ``name`` to be one of ``allowed``."""
        self.need(np.isin(self.field(name), allowed))

    def row(
        self, offset: Longs | str, size: Longs | int, *, constant: bool = False, optional: bool = False
    ) -> None:
        """Require ``size`` bytes at ``offset`` in the frame or, if allowed, among the constants, or no row (-1)."""
        at = self.field(offset) if isinstance(offset, str) else offset
        holds = (at >= 0) & (at % ROW_ALIGN == 0) & (at + size <= self.frame)
        if constant:
            there = ~at
            holds |= (at < 0) & (there % ROW_ALIGN == 0) & (there + size <= len(self.program.constants))
        if optional:
            holds |= at == -1
        self.need(holds)

    def alone(self, index: int) -> "Part":
        """A part with one of the instructions; it shares that instruction's ``bad`` mark."""
        one = slice(index, index + 1)
        return Part(
            self.program, self.code[one], self.frame[one], self.start[one], self.stop[one], self.bad[one]
        )

    def jump(self, target: Longs) -> None:
        """Require ``target`` to be code of the same function."""
        self.need((target >= self.start) & (target < self.stop))

    def listed(self, index: int) -> Longs:
        """Entry ``index`` of each instruction's operand list, which starts at ``target``; 0 if there is none."""
        at = self.field("target") + index
        inside = (index < self.field("count")) & (at >= 0) & (at < len(self.program.operands))
        entries: Longs = np.where(inside, self.program.operands[np.where(inside, at, 0)], 0)
        return entries

    def list_fits(self, members: NDArray[np.bool_]) -> None:
        """Require the operand list to hold all entries that the instructions in ``members`` use."""
        first, count = self.field("target"), self.field("count")
        self.need(~members | ((first >= 0) & (count >= 0) & (first + count <= len(self.program.operands))))
