"""Conversions among cells. Semantics: PTX ISA, ``cvt``."""

import math

from grader.engines.emulator.isa.cells import FLOATS, INTEGERS, Cell
from grader.engines.emulator.isa.emit import Emit, MicroOp, Rounding, Value
from grader.engines.emulator.isa.floats import SUFFIX

INTEGRAL = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
"""PTX's roundings to an integral value and the LLVM intrinsic of each."""

_LOST = 29
"""Bits of a double's fraction that a float's lacks."""

_MOST = (2.0 - 2.0**-23) * 2.0**127
"""The largest float."""

_REGISTERS = (Cell.I16, Cell.I32, Cell.I64)


def conversion_ops() -> dict[str, MicroOp]:
    """All conversions by name: ``<kind>.<target>.<source>``."""
    return _resizes() | _narrow() | _from_integers() | _to_integers() | _among_floats()


def _resizes() -> dict[str, MicroOp]:
    ops = {}
    for source in _REGISTERS:
        for target in _REGISTERS:
            if target.bits > source.bits:
                ops[f"zext.{target.token}.{source.token}"] = MicroOp(
                    target, (source,), lambda e, a, target=target: e.b.zext(a, e.type(target))
                )
                ops[f"sext.{target.token}.{source.token}"] = MicroOp(
                    target, (source,), lambda e, a, target=target: e.b.sext(a, e.type(target))
                )
            elif target.bits < source.bits:
                ops[f"trunc.{target.token}.{source.token}"] = MicroOp(
                    target, (source,), lambda e, a, target=target: e.b.trunc(a, e.type(target))
                )
    return ops


def _narrow() -> dict[str, MicroOp]:
    """Keep the low bits of a register and extend them to its width: ``zlow8.i32``, ``slow16.i64``."""
    ops = {}
    for cell in _REGISTERS:
        for bits in (8, 16, 32):
            if bits < cell.bits:
                small = INTEGERS[bits]
                ops[f"zlow{bits}.{cell.token}"] = MicroOp(
                    cell,
                    (cell,),
                    lambda e, a, cell=cell, small=small: e.b.zext(e.b.trunc(a, e.type(small)), e.type(cell)),
                )
                ops[f"slow{bits}.{cell.token}"] = MicroOp(
                    cell,
                    (cell,),
                    lambda e, a, cell=cell, small=small: e.b.sext(e.b.trunc(a, e.type(small)), e.type(cell)),
                )
    return ops


def _from_integers() -> dict[str, MicroOp]:
    ops = {}
    for source in (Cell.I32, Cell.I64):
        for target in (Cell.F32, Cell.F64):
            for mode in Rounding:
                ops[f"stof.{target.token}.{source.token}{SUFFIX[mode]}"] = MicroOp(
                    target,
                    (source,),
                    lambda e, a, target=target: e.b.sitofp(a, e.type(target)),
                    rounding=mode,
                )
                ops[f"utof.{target.token}.{source.token}{SUFFIX[mode]}"] = MicroOp(
                    target,
                    (source,),
                    lambda e, a, target=target: _from_unsigned(e, a, target),
                    rounding=mode,
                )
    return ops


def _from_unsigned(e: Emit, a: Value, target: Cell) -> Value:
    """Convert an unsigned integer. Some CPUs subtract in between, which makes a zero negative when rounding down."""
    return e.call("fabs", target, e.b.uitofp(a, e.type(target)))


def _to_integers() -> dict[str, MicroOp]:
    """Convert integral floats. Out of range saturates; NaN becomes 0 or, from or to 64 bits, the top bit alone."""

    def convert(e: Emit, a: Value, target: Cell, source: Cell, intrinsic: str) -> Value:
        converted = e.call(intrinsic, target, a, source=source)
        if Cell.I64 not in {target, INTEGERS[source.bits]}:
            return converted
        highest = e.const(target, -(1 << (target.bits - 1)))
        return e.b.select(e.b.fcmp_unordered("uno", a, a), highest, converted)

    return {
        f"fto{letter}.{target.token}.{source.token}": MicroOp(
            target,
            (source,),
            lambda e, a, target=target, source=source, letter=letter: convert(
                e, a, target, source, "fptosi.sat" if letter == "s" else "fptoui.sat"
            ),
        )
        for source in (Cell.F32, Cell.F64)
        for target in _REGISTERS
        for letter in ("s", "u")
    }


def _among_floats() -> dict[str, MicroOp]:
    ops = {}
    for cell in (Cell.F32, Cell.F64):
        for name, intrinsic in INTEGRAL.items():
            ops[f"{name}.{cell.token}"] = MicroOp(
                cell, (cell,), lambda e, a, cell=cell, intrinsic=intrinsic: e.call(intrinsic, cell, a)
            )
    for wide, narrow in ((Cell.F64, Cell.F32), (Cell.F32, Cell.F16)):
        ops[f"fext.{wide.token}.{narrow.token}"] = MicroOp(
            wide, (narrow,), lambda e, a, wide=wide: e.b.fpext(a, e.type(wide))
        )
        for mode in Rounding:
            ops[f"fround.{narrow.token}.{wide.token}{SUFFIX[mode]}"] = MicroOp(
                narrow, (wide,), lambda e, a, narrow=narrow: _rounded(e, a, narrow), rounding=mode
            )
    ops["fodd.f32.f64"] = MicroOp(Cell.F32, (Cell.F64,), rounded_to_odd)
    return ops


def rounded_to_odd(e: Emit, a: Value) -> Value:
    """A double rounded to odd as a float: if bits are lost, the lowest bit kept is set.

    Rounding the result to half precision equals rounding the double; two roundings to nearest do not. Beyond a
    float's range the result is the largest or the smallest normal float, which a half rounds like any value beyond
    its range.
    """
    size = e.call("fabs", Cell.F64, a)
    most, least = e.const(Cell.F64, _MOST), e.const(Cell.F64, 2.0**-126)
    small = e.b.select(e.b.fcmp_ordered(">", size, e.const(Cell.F64, 0.0)), least, size)
    size = e.b.select(e.b.fcmp_ordered("<", size, least), small, size)
    huge = e.b.and_(
        e.b.fcmp_ordered(">", size, most), e.b.fcmp_ordered("<", size, e.const(Cell.F64, math.inf))
    )
    bits = e.bits_of(Cell.F64, e.b.select(huge, most, size))
    lost = e.b.and_(bits, e.const(Cell.I64, (1 << _LOST) - 1))
    sticky = e.b.zext(e.b.icmp_unsigned("!=", lost, e.const(Cell.I64, 0)), e.type(Cell.I64))
    kept = e.b.and_(bits, e.const(Cell.I64, -1 << _LOST))
    odd = e.from_bits(Cell.F64, e.b.or_(kept, e.b.shl(sticky, e.const(Cell.I64, _LOST))))
    return e.b.fptrunc(e.call("copysign", Cell.F64, odd, a), e.type(Cell.F32))


def _rounded(e: Emit, a: Value, narrow: Cell) -> Value:
    return e.b.fptrunc(a, e.type(FLOATS[narrow.bits]))
