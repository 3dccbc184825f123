"""Floating-point micro-operations: arithmetic, comparisons, minimum and maximum, approximations.

Semantics: PTX ISA, "Floating Point Instructions". ``fma`` is one rounding (``llvm.fma``). The approximate functions
are computed in double precision and rounded once, so they are at least as accurate as the hardware.
"""

import math

from grader.engines.emulator.isa.cells import INTEGERS, Cell
from grader.engines.emulator.isa.emit import Emit, MicroOp, Rounding, Value

SUFFIX = {Rounding.NEAREST: "", Rounding.ZERO: ".rz", Rounding.UP: ".rp", Rounding.DOWN: ".rm"}
"""Suffixes of micro-operations for the rounding modes, as in PTX."""

_TURNS = 0.15915493667125702
"""One over a full turn as a float."""

_COMPARISONS = {
    "eq": ("==", True),
    "ne": ("!=", True),
    "lt": ("<", True),
    "le": ("<=", True),
    "equ": ("==", False),
    "neu": ("!=", False),
    "ltu": ("<", False),
    "leu": ("<=", False),
    "num": ("ord", True),
    "nan": ("uno", False),
}


def float_ops() -> dict[str, MicroOp]:
    """All micro-operations of this module by name."""
    ops: dict[str, MicroOp] = {}
    for cell in (Cell.F32, Cell.F64):
        ops |= _signs(cell) | _comparisons(cell) | _extremes(cell) | _approximations(cell)
        for mode in Rounding:
            ops |= _arithmetic(cell, mode)
        ops |= {f"ftz.{cell.token}": MicroOp(cell, (cell,), lambda e, a, cell=cell: _flush(e, cell, a))}
        ops |= {f"sat.{cell.token}": MicroOp(cell, (cell,), lambda e, a, cell=cell: saturate(e, cell, a))}
    return ops


def _arithmetic(cell: Cell, mode: Rounding) -> dict[str, MicroOp]:
    t, suffix = cell.token, SUFFIX[mode]
    two = (cell, cell)
    one = (cell,)
    return {
        f"add.{t}{suffix}": MicroOp(cell, two, lambda e, a, b: e.b.fadd(a, b), rounding=mode),
        f"sub.{t}{suffix}": MicroOp(cell, two, lambda e, a, b: e.b.fsub(a, b), rounding=mode),
        f"mul.{t}{suffix}": MicroOp(cell, two, lambda e, a, b: e.b.fmul(a, b), rounding=mode),
        f"div.{t}{suffix}": MicroOp(cell, two, lambda e, a, b: e.b.fdiv(a, b), rounding=mode),
        f"rcp.{t}{suffix}": MicroOp(cell, one, lambda e, a: e.b.fdiv(e.const(cell, 1.0), a), rounding=mode),
        f"sqrt.{t}{suffix}": MicroOp(cell, one, lambda e, a: e.call("sqrt", cell, a), rounding=mode),
        f"fma.{t}{suffix}": MicroOp(
            cell, (cell, cell, cell), lambda e, a, b, c: e.call("fma", cell, a, b, c), rounding=mode
        ),
    }


def _signs(cell: Cell) -> dict[str, MicroOp]:
    t = cell.token

    def copysign(e: Emit, sign: Value, magnitude: Value) -> Value:
        return e.call("copysign", cell, magnitude, sign)

    return {
        f"neg.{t}": MicroOp(cell, (cell,), lambda e, a: e.b.fneg(a)),
        f"abs.{t}": MicroOp(cell, (cell,), lambda e, a: e.call("fabs", cell, a)),
        f"copysign.{t}": MicroOp(cell, (cell, cell), copysign),
    }


def _comparisons(cell: Cell) -> dict[str, MicroOp]:
    return {
        f"set.{name}.{cell.token}": MicroOp(
            Cell.P,
            (cell, cell),
            lambda e, a, b, sign=sign, ordered=ordered: (
                e.b.fcmp_ordered(sign, a, b) if ordered else e.b.fcmp_unordered(sign, a, b)
            ),
        )
        for name, (sign, ordered) in _COMPARISONS.items()
    }


def _extremes(cell: Cell) -> dict[str, MicroOp]:
    """Minimum and maximum: a number wins over NaN, and -0 is less than +0."""
    t, bits = cell.token, INTEGERS[cell.bits]

    def extreme(e: Emit, a: Value, b: Value, sign: str) -> Value:
        chosen = e.b.select(e.b.fcmp_ordered(sign, a, b), a, b)
        combine = e.b.or_ if sign == "<" else e.b.and_
        tied = e.b.bitcast(combine(e.bits_of(cell, a), e.bits_of(cell, b)), e.type(cell))
        chosen = e.b.select(e.b.fcmp_ordered("==", a, b), tied, chosen)
        return e.b.select(e.b.fcmp_unordered("uno", b, b), a, chosen)

    return {
        f"min.{t}": MicroOp(cell, (cell, cell), lambda e, a, b: extreme(e, a, b, "<")),
        f"max.{t}": MicroOp(cell, (cell, cell), lambda e, a, b: extreme(e, a, b, ">")),
        f"testbits.{t}": MicroOp(bits, (cell,), lambda e, a: e.bits_of(cell, e.call("fabs", cell, a))),
    }


def _approximations(cell: Cell) -> dict[str, MicroOp]:
    def inverse_root(e: Emit, a: Value) -> Value:
        wide = a if cell is Cell.F64 else e.b.fpext(a, e.type(Cell.F64))
        root = e.b.fdiv(e.const(Cell.F64, 1.0), e.call("sqrt", Cell.F64, wide))
        return root if cell is Cell.F64 else e.b.fptrunc(root, e.type(cell))

    ops = {f"rsqrt.{cell.token}": MicroOp(cell, (cell,), inverse_root)}
    if cell is Cell.F32:
        one = (cell,)
        ops["quotient.f32"] = MicroOp(cell, (cell, cell), _quotient)
        for name in ("sin", "cos"):
            ops[f"{name}.f32"] = MicroOp(
                cell, one, lambda e, a, name=name: _of_turns(e, a, name), lanewise=True
            )
        for name, function in (("ex2", "exp2"), ("lg2", "log2"), ("tanh", "tanh")):
            ops[f"{name}.f32"] = MicroOp(
                cell, one, lambda e, a, function=function: _through_double(e, a, function), lanewise=True
            )
    return ops


def _through_double(e: Emit, a: Value, function: str) -> Value:
    return e.b.fptrunc(e.call(function, Cell.F64, e.b.fpext(a, e.type(Cell.F64))), e.type(Cell.F32))


def _of_turns(e: Emit, a: Value, function: str) -> Value:
    """Sine or cosine as hardware computes it: the argument is divided by a full turn and cut to a float's fraction.

    A large argument therefore loses its phase as on a GPU. The product is exact in double precision.
    """
    product = e.b.fmul(e.b.fpext(a, e.type(Cell.F64)), e.const(Cell.F64, _TURNS))
    cut = e.b.and_(e.bits_of(Cell.F64, product), e.const(Cell.I64, -1 << 29))
    turns = e.from_bits(Cell.F64, cut)
    part = e.call("copysign", Cell.F64, e.b.fsub(turns, e.call("trunc", Cell.F64, turns)), turns)
    angle = e.b.fmul(part, e.const(Cell.F64, math.tau))
    return e.b.fptrunc(e.call(function, Cell.F64, angle), e.type(Cell.F32))


def _quotient(e: Emit, a: Value, b: Value) -> Value:
    """``div.approx``: the reciprocal of a divisor beyond 2^126 underflows, so the quotient is zero."""
    lost = e.b.fcmp_ordered(">", e.call("fabs", Cell.F32, b), e.const(Cell.F32, 2.0**126))
    nothing = e.call("copysign", Cell.F32, e.const(Cell.F32, 0.0), b)
    return e.b.select(lost, e.b.fmul(a, nothing), e.b.fdiv(a, b))


def _flush(e: Emit, cell: Cell, a: Value) -> Value:
    """Replace subnormals by zeros of the same sign."""
    smallest = 2.0**-126 if cell is Cell.F32 else 2.0**-1022
    tiny = e.b.fcmp_ordered("<", e.call("fabs", cell, a), e.const(cell, smallest))
    return e.b.select(tiny, e.call("copysign", cell, e.const(cell, 0.0), a), a)


def saturate(e: Emit, cell: Cell, a: Value) -> Value:
    """Clamp to [0, 1]; NaN becomes +0."""
    zero, one = e.const(cell, 0.0), e.const(cell, 1.0)
    low = e.b.select(e.b.fcmp_ordered(">", a, zero), a, zero)
    return e.b.select(e.b.fcmp_ordered("<", low, one), low, one)
