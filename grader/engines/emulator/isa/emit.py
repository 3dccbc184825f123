"""Build micro-operations as LLVM code. One lambda builds a 32-lane vector or, inside a lane loop, a scalar."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from llvmlite import ir

from grader.engines.emulator.isa.cells import FLOATS, INTEGERS, WARP, Cell

Value = Any
"""An LLVM value; llvmlite has no types for them."""


class Rounding(IntEnum):
    """Rounding modes by the numbers of LLVM's ``llvm.set.rounding``."""

    ZERO = 0
    NEAREST = 1
    UP = 2
    DOWN = 3


@dataclass(frozen=True, slots=True)
class MicroOp:
    """One operation on rows: ``build(e, *operands)`` gives the result.

    ``lanewise``: built as a scalar inside a loop over the active lanes, for operations without a vector form
    (division, calls into the C library). ``rounding``: the mode to set around it.
    """

    out: Cell
    ins: tuple[Cell, ...]
    build: Callable[..., Value]
    lanewise: bool = False
    rounding: Rounding = Rounding.NEAREST


class Emit:
    """An ``IRBuilder`` for values with a given number of lanes."""

    def __init__(self, builder: ir.IRBuilder, lanes: int, imm: Value) -> None:
        """``lanes`` is 1 inside a lane loop; ``imm`` is the instruction's 64-bit immediate."""
        self.b = builder
        self.lanes = lanes
        self.imm = imm

    def type(self, cell: Cell) -> ir.Type:
        """LLVM's type for values of ``cell``."""
        return cell.element if self.lanes == 1 else ir.VectorType(cell.element, self.lanes)

    def const(self, cell: Cell, number: float) -> Value:
        """``number`` in every lane."""
        if self.lanes == 1:
            return ir.Constant(cell.element, number)
        return ir.Constant(self.type(cell), [number] * self.lanes)

    def splat(self, scalar: Value) -> Value:
        """A scalar LLVM value in every lane."""
        if self.lanes == 1:
            return scalar
        vector = ir.VectorType(scalar.type, self.lanes)
        one = self.b.insert_element(ir.Constant(vector, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), self.lanes), [0] * self.lanes)
        return self.b.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)

    def call(self, intrinsic: str, cell: Cell, *args: Value, source: Cell | None = None) -> Value:
        """Call ``llvm.<intrinsic>`` with result type ``cell`` and, where overloaded, argument type ``source``."""
        suffix = self._suffix(cell) + (self._suffix(source) if source is not None else "")
        function_type = ir.FunctionType(self.type(cell), [arg.type for arg in args])
        return self.b.call(self._declare(f"llvm.{intrinsic}{suffix}", function_type), args)

    def bits_of(self, cell: Cell, value: Value) -> Value:
        """The bits of a float as an integer of the same width."""
        return self.b.bitcast(value, self.type(INTEGERS[cell.bits]))

    def from_bits(self, cell: Cell, value: Value) -> Value:
        """The float with the bits in ``value``."""
        return self.b.bitcast(value, self.type(FLOATS[cell.bits]))

    def _suffix(self, cell: Cell) -> str:
        name = cell.token if cell is not Cell.P else "i1"
        return f".{name}" if self.lanes == 1 else f".v{self.lanes}{name}"

    def _declare(self, name: str, function_type: ir.FunctionType) -> Value:
        return declare(self.b.module, name, function_type)


def declare(module: ir.Module, name: str, function_type: ir.FunctionType) -> Value:
    """Function ``name`` in ``module``, declared on first use."""
    if name in module.globals:
        return module.globals[name]
    return ir.Function(module, function_type, name)


def expand_mask(builder: ir.IRBuilder, mask: Value) -> Value:
    """A 32-bit lane mask as a vector of booleans."""
    return builder.bitcast(mask, ir.VectorType(ir.IntType(1), WARP))
