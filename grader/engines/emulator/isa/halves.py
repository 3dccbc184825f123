"""Micro-operations in half precision, on one or two halves per lane.

Sums, differences and products are computed in float32 and rounded once more, which gives the same result as rounding
once: float32 has more than twice the bits. ``fma`` uses float64, rounded to odd in between.
"""

from collections.abc import Callable

from llvmlite import ir

from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.isa.conversions import rounded_to_odd
from grader.engines.emulator.isa.emit import Emit, MicroOp, Value
from grader.engines.emulator.isa.floats import saturate

_SIGN, _EXPONENT = 0x8000, 0x7C00


def half_ops() -> dict[str, MicroOp]:
    """All micro-operations of this module by name."""
    ops: dict[str, MicroOp] = {}
    for token, cell in (("f16", Cell.I16), ("f16x2", Cell.I32)):
        for name, operation in (("add", "fadd"), ("sub", "fsub"), ("mul", "fmul")):
            ops[f"{name}.{token}"] = MicroOp(
                cell,
                (cell, cell),
                lambda e, a, b, operation=operation: _widely(e, _in_single(operation), a, b),
            )
        ops[f"fma.{token}"] = MicroOp(
            cell, (cell, cell, cell), lambda e, a, b, c: _widely(e, _fused, a, b, c)
        )
        ops[f"sat.{token}"] = MicroOp(
            cell, (cell,), lambda e, a: _widely(e, lambda w, x: saturate(w, Cell.F32, x), a)
        )
        ops[f"ftz.{token}"] = MicroOp(cell, (cell,), _flush)
    return ops


def _emitter(e: Emit, value: Value) -> Emit:
    """An ``Emit`` with as many lanes as ``value`` has halves."""
    return Emit(e.b, e.lanes * value.type.element.width // 16, e.imm)


def _widely(e: Emit, compute: Callable[..., Value], *operands: Value) -> Value:
    """Apply ``compute`` to the operands' halves as float32, and round the result to halves."""
    wide = _emitter(e, operands[0])
    halves = [e.b.bitcast(operand, wide.type(Cell.F16)) for operand in operands]
    result = compute(wide, *(e.b.fpext(half, wide.type(Cell.F32)) for half in halves))
    return e.b.bitcast(e.b.fptrunc(result, wide.type(Cell.F16)), operands[0].type)


def _in_single(operation: str) -> Callable[[Emit, Value, Value], Value]:
    return lambda e, a, b: getattr(e.b, operation)(a, b)


def _fused(e: Emit, a: Value, b: Value, c: Value) -> Value:
    """The product of two halves is exact in float64, and their sum with a third is nearly exact."""
    x, y, z = (e.b.fpext(operand, e.type(Cell.F64)) for operand in (a, b, c))
    return rounded_to_odd(e, e.b.fadd(e.b.fmul(x, y), z))


def _flush(e: Emit, value: Value) -> Value:
    """Replace subnormals by zeros of the same sign. This works on bits because not every CPU computes with halves."""
    wide = _emitter(e, value)
    bits = e.b.bitcast(value, wide.type(Cell.I16))
    tiny = e.b.icmp_unsigned("==", e.b.and_(bits, wide.const(Cell.I16, _EXPONENT)), wide.const(Cell.I16, 0))
    signs = e.b.and_(bits, wide.const(Cell.I16, _SIGN - (1 << 16)))
    return e.b.bitcast(e.b.select(tiny, signs, bits), ir.VectorType(value.type.element, e.lanes))
