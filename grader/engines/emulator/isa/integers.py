"""Integer and bitwise micro-operations.

Semantics: PTX ISA, "Integer Arithmetic Instructions" and "Logic and Shift Instructions". Where PTX leaves the result
open (division by zero) it is all ones, as from the hardware's division routines.
"""

from llvmlite import ir

from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.isa.emit import Emit, MicroOp, Value

_I64 = Cell.I64
_I32 = Cell.I32
_FALSE = ir.Constant(ir.IntType(1), 0)


def integer_ops() -> dict[str, MicroOp]:
    """All micro-operations of this module by name."""
    ops: dict[str, MicroOp] = {}
    for cell in (Cell.I16, _I32, _I64):
        ops |= _arithmetic(cell) | _shifts(cell) | _division(cell) | _comparisons(cell)
    for cell in (_I32, _I64):
        ops |= _bit_counts(cell) | _bit_fields(cell)
    for narrow, wide in ((Cell.I16, _I32), (_I32, _I64)):
        ops |= _products(narrow, wide)
    ops |= _high_products_64()
    return ops


def _arithmetic(cell: Cell) -> dict[str, MicroOp]:
    t = cell.token
    two, one = (cell, cell), (cell,)
    return {
        f"mov.{t}": MicroOp(cell, one, lambda _e, a: a),
        f"add.{t}": MicroOp(cell, two, lambda e, a, b: e.b.add(a, b)),
        f"sub.{t}": MicroOp(cell, two, lambda e, a, b: e.b.sub(a, b)),
        f"mul.{t}": MicroOp(cell, two, lambda e, a, b: e.b.mul(a, b)),
        f"mad.{t}": MicroOp(cell, (cell, cell, cell), lambda e, a, b, c: e.b.add(e.b.mul(a, b), c)),
        f"and.{t}": MicroOp(cell, two, lambda e, a, b: e.b.and_(a, b)),
        f"or.{t}": MicroOp(cell, two, lambda e, a, b: e.b.or_(a, b)),
        f"xor.{t}": MicroOp(cell, two, lambda e, a, b: e.b.xor(a, b)),
        f"not.{t}": MicroOp(cell, one, lambda e, a: e.b.xor(a, e.const(cell, -1))),
        f"cnot.{t}": MicroOp(
            cell, one, lambda e, a: e.b.zext(e.b.icmp_unsigned("==", a, e.const(cell, 0)), e.type(cell))
        ),
        f"neg.{t}": MicroOp(cell, one, lambda e, a: e.b.sub(e.const(cell, 0), a)),
        f"abs.{t}": MicroOp(cell, one, lambda e, a: e.call("abs", cell, a, _FALSE)),
        **{
            f"{name}.{t}": MicroOp(cell, two, lambda e, a, b, name=name: e.call(name, cell, a, b))
            for name in ("smin", "smax", "umin", "umax")
        },
        f"selp.{t}": MicroOp(cell, (cell, cell, Cell.P), lambda e, a, b, p: e.b.select(p, a, b)),
    }


def _shifts(cell: Cell) -> dict[str, MicroOp]:
    """Shifts clamp: an amount (32 bits, unsigned) of at least the width shifts all bits out."""
    t = cell.token
    ins = (cell, _I32)

    def shift(e: Emit, a: Value, amount: Value, kind: str) -> Value:
        clamped = e.call("umin", _I32, amount, e.const(_I32, cell.bits - 1))
        fitted = resized(e, clamped, _I32, cell)
        shifted = {"shl": e.b.shl, "shr": e.b.lshr, "sar": e.b.ashr}[kind](a, fitted)
        if kind == "sar":
            return shifted
        inside = e.b.icmp_unsigned("<", amount, e.const(_I32, cell.bits))
        return e.b.select(inside, shifted, e.const(cell, 0))

    return {
        f"{kind}.{t}": MicroOp(cell, ins, lambda e, a, n, kind=kind: shift(e, a, n, kind))
        for kind in ("shl", "shr", "sar")
    }


def _division(cell: Cell) -> dict[str, MicroOp]:
    t = cell.token

    def divide(e: Emit, a: Value, b: Value, name: str) -> Value:
        zero = e.b.icmp_unsigned("==", b, e.const(cell, 0))
        unsafe = zero
        if name[0] == "s":
            lowest = e.b.icmp_unsigned("==", a, e.const(cell, -(1 << (cell.bits - 1))))
            unsafe = e.b.or_(zero, e.b.and_(lowest, e.b.icmp_unsigned("==", b, e.const(cell, -1))))
        divisor = e.b.select(unsafe, e.const(cell, 1), b)
        quotient = getattr(e.b, name)(a, divisor)
        return e.b.select(zero, e.const(cell, -1), quotient)

    return {
        f"{name}.{t}": MicroOp(
            cell, (cell, cell), lambda e, a, b, name=name: divide(e, a, b, name), lanewise=True
        )
        for name in ("sdiv", "udiv", "srem", "urem")
    }


_ORDER = {"eq": "==", "ne": "!=", "lt": "<", "le": "<="}


def _comparisons(cell: Cell) -> dict[str, MicroOp]:
    """``set.slt.i32`` and so on; greater-than is less-than with exchanged operands."""
    t = cell.token
    ops = {}
    for name, sign in _ORDER.items():
        for signed in ("s", "u") if name in {"lt", "le"} else ("",):
            ops[f"set.{signed}{name}.{t}"] = MicroOp(
                Cell.P,
                (cell, cell),
                lambda e, a, b, signed=signed, sign=sign: (
                    e.b.icmp_signed(sign, a, b) if signed == "s" else e.b.icmp_unsigned(sign, a, b)
                ),
            )
    return ops


def _bit_counts(cell: Cell) -> dict[str, MicroOp]:
    """Bit counts; the result has 32 bits for every operand width."""
    t = cell.token
    return {
        f"popc.{t}": MicroOp(_I32, (cell,), lambda e, a: resized(e, e.call("ctpop", cell, a), cell, _I32)),
        f"clz.{t}": MicroOp(
            _I32, (cell,), lambda e, a: resized(e, e.call("ctlz", cell, a, _FALSE), cell, _I32)
        ),
        f"brev.{t}": MicroOp(cell, (cell,), lambda e, a: e.call("bitreverse", cell, a)),
    }


def _bit_fields(cell: Cell) -> dict[str, MicroOp]:
    """``bfe`` and the parts of ``bfi``, following the pseudo-code of the PTX ISA.

    Position and length are 32-bit operands. PTX defines them only up to 255. Beyond that, hardware uses their low
    bytes for 32-bit fields, and treats all values from 64 on alike for 64-bit fields.
    """
    t, width = cell.token, cell.bits

    def low_byte(e: Emit, n: Value) -> Value:
        if cell is _I64:
            return resized(e, e.call("umin", _I32, n, e.const(_I32, 255)), _I32, cell)
        return e.b.and_(n, e.const(_I32, 255))

    def shift(e: Emit, operation: str, a: Value, amount: Value) -> Value:
        inside = e.b.icmp_unsigned("<", amount, e.const(cell, width))
        safe = e.b.select(inside, amount, e.const(cell, 0))
        return e.b.select(inside, getattr(e.b, operation)(a, safe), e.const(cell, 0))

    def low_mask(e: Emit, length: Value) -> Value:
        all_ones = e.const(cell, -1)
        return e.b.xor(shift(e, "shl", all_ones, length), all_ones)

    def extract(e: Emit, a: Value, pos: Value, length: Value, *, signed: bool) -> Value:
        pos, length = low_byte(e, pos), low_byte(e, length)
        inside = e.b.sub(e.const(cell, width), e.call("umin", cell, pos, e.const(cell, width)))
        keep = low_mask(e, e.call("umin", cell, length, inside))
        field = e.b.and_(shift(e, "lshr", a, pos), keep)
        if not signed:
            return field
        last = e.call("umin", cell, e.b.sub(e.b.add(pos, length), e.const(cell, 1)), e.const(cell, width - 1))
        sign = e.b.sub(e.const(cell, 0), e.b.and_(e.b.lshr(a, last), e.const(cell, 1)))
        empty = e.b.icmp_unsigned("==", length, e.const(cell, 0))
        sign = e.b.select(empty, e.const(cell, 0), sign)
        return e.b.or_(field, e.b.and_(sign, e.b.xor(keep, e.const(cell, -1))))

    def mask_at(e: Emit, pos: Value, length: Value) -> Value:
        return shift(e, "shl", low_mask(e, low_byte(e, length)), low_byte(e, pos))

    return {
        f"ubfe.{t}": MicroOp(cell, (cell, _I32, _I32), lambda e, a, p, n: extract(e, a, p, n, signed=False)),
        f"sbfe.{t}": MicroOp(cell, (cell, _I32, _I32), lambda e, a, p, n: extract(e, a, p, n, signed=True)),
        f"fieldmask.{t}": MicroOp(cell, (_I32, _I32), mask_at),
        f"shlbyte.{t}": MicroOp(cell, (cell, _I32), lambda e, a, p: shift(e, "shl", a, low_byte(e, p))),
        f"merge.{t}": MicroOp(
            cell, (cell, cell, cell), lambda e, a, b, m: e.b.xor(b, e.b.and_(e.b.xor(a, b), m))
        ),
    }


def _products(narrow: Cell, wide: Cell) -> dict[str, MicroOp]:
    """Double-width products and their high halves."""
    t = narrow.token

    def product(e: Emit, a: Value, b: Value, *, signed: bool) -> Value:
        extend = e.b.sext if signed else e.b.zext
        return e.b.mul(extend(a, e.type(wide)), extend(b, e.type(wide)))

    def high(e: Emit, a: Value, b: Value, *, signed: bool) -> Value:
        shifted = e.b.lshr(product(e, a, b, signed=signed), e.const(wide, narrow.bits))
        return e.b.trunc(shifted, e.type(narrow))

    ops = {}
    for letter, signed in (("s", True), ("u", False)):
        ops[f"{letter}mulwide.{t}"] = MicroOp(
            wide, (narrow, narrow), lambda e, a, b, signed=signed: product(e, a, b, signed=signed)
        )
        ops[f"{letter}madwide.{t}"] = MicroOp(
            wide,
            (narrow, narrow, wide),
            lambda e, a, b, c, signed=signed: e.b.add(product(e, a, b, signed=signed), c),
        )
        ops[f"{letter}mulhi.{t}"] = MicroOp(
            narrow, (narrow, narrow), lambda e, a, b, signed=signed: high(e, a, b, signed=signed)
        )
    return ops


def _high_products_64() -> dict[str, MicroOp]:
    """High halves of 64-bit products, computed in 128 bits, one lane at a time."""
    wide = ir.IntType(128)

    def high(e: Emit, a: Value, b: Value, *, signed: bool) -> Value:
        extend = e.b.sext if signed else e.b.zext
        product = e.b.mul(extend(a, wide), extend(b, wide))
        return e.b.trunc(e.b.lshr(product, ir.Constant(wide, 64)), e.type(_I64))

    return {
        f"{letter}mulhi.i64": MicroOp(
            _I64, (_I64, _I64), lambda e, a, b, signed=signed: high(e, a, b, signed=signed), lanewise=True
        )
        for letter, signed in (("s", True), ("u", False))
    }


def resized(e: Emit, value: Value, source: Cell, target: Cell) -> Value:
    """Convert an unsigned integer to another width."""
    if source.bits < target.bits:
        return e.b.zext(value, e.type(target))
    return e.b.trunc(value, e.type(target)) if source.bits > target.bits else value
