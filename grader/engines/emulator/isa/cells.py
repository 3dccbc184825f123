"""Register cells: the representation of PTX registers in a warp's frame.

A frame is a run of bytes. A data register is a *row* of 32 lanes, packed, so that one row is one vector of 16-, 32-
or 64-bit elements; a predicate is one 32-bit word with a bit per lane.
"""

from dataclasses import dataclass
from enum import Enum

from llvmlite import ir

WARP = 32
"""Lanes of a warp."""

ROW_ALIGN = 64
"""Every row starts at a multiple of this many bytes."""


@dataclass(frozen=True, slots=True)
class CellType:
    """The layout of one lane's value in memory and its LLVM type. ``bits`` is 1 for a predicate."""

    bits: int
    element: ir.Type

    @property
    def row_bytes(self) -> int:
        """Bytes of a row in a frame."""
        return 4 if self.bits == 1 else WARP * self.bits // 8


class Cell(Enum):
    """Types that micro-operations read and write. Signedness belongs to operations, not to integer cells."""

    P = CellType(1, ir.IntType(1))
    I8 = CellType(8, ir.IntType(8))
    I16 = CellType(16, ir.IntType(16))
    I32 = CellType(32, ir.IntType(32))
    I64 = CellType(64, ir.IntType(64))
    F16 = CellType(16, ir.HalfType())
    F32 = CellType(32, ir.FloatType())
    F64 = CellType(64, ir.DoubleType())

    @property
    def bits(self) -> int:
        """Width of one lane."""
        return self.value.bits

    @property
    def row_bytes(self) -> int:
        """Bytes of a row in a frame."""
        return self.value.row_bytes

    @property
    def element(self) -> ir.Type:
        """LLVM's type of one lane."""
        return self.value.element

    @property
    def token(self) -> str:
        """The lower-case name in micro-operations, as in ``add.i32``."""
        return self.name.lower()


INTEGERS = {8: Cell.I8, 16: Cell.I16, 32: Cell.I32, 64: Cell.I64}
FLOATS = {16: Cell.F16, 32: Cell.F32, 64: Cell.F64}
