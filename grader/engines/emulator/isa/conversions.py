"""Conversions among cells. Semantics: PTX ISA, ``cvt``."""

from grader.engines.emulator.isa.cells import FLOATS, INTEGERS, Cell
from grader.engines.emulator.isa.emit import Emit, MicroOp, Rounding, Value
from grader.engines.emulator.isa.floats import SUFFIX

INTEGRAL = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
"""PTX's roundings to an integral value and the LLVM intrinsic of each."""

_REGISTERS = (Cell.I16, Cell.I32, Cell.I64)


def conversion_ops() -> dict[str, MicroOp]:
    """All of them by name, as ``<kind>.<target>.<source>``."""
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
    """Keep the low bits of a register and extend them again in place: ``zlow8.i32``, ``slow16.i64``."""
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
                    lambda e, a, target=target: e.b.uitofp(a, e.type(target)),
                    rounding=mode,
                )
    return ops


def _to_integers() -> dict[str, MicroOp]:
    """Of an already integral float. Out of range saturates, NaN becomes 0."""
    ops = {}
    for source in (Cell.F32, Cell.F64):
        for target in _REGISTERS:
            for letter, intrinsic in (("s", "fptosi.sat"), ("u", "fptoui.sat")):
                ops[f"fto{letter}.{target.token}.{source.token}"] = MicroOp(
                    target,
                    (source,),
                    lambda e, a, target=target, source=source, intrinsic=intrinsic: e.call(
                        intrinsic, target, a, source=source
                    ),
                )
    return ops


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
    return ops


def _rounded(e: Emit, a: Value, narrow: Cell) -> Value:
    return e.b.fptrunc(a, e.type(FLOATS[narrow.bits]))
