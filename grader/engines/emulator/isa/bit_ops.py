"""Micro-operations on the bits, bytes or halves of 32-bit words.

Semantics: PTX ISA, ``lop3``, ``prmt``, ``shf``, ``dp4a``, ``dp2a`` and ``fns``.
"""

from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.isa.emit import Emit, MicroOp, Value

_I8, _I32, _I64 = Cell.I8, Cell.I32, Cell.I64
_THREE = (_I32, _I32, _I32)


def bit_ops() -> dict[str, MicroOp]:
    """All micro-operations of this module by name."""
    return {
        "lop3.i32": MicroOp(_I32, _THREE, _lookup),
        "prmt.i32": MicroOp(_I32, _THREE, _permute),
        "dp4a.i32": MicroOp(_I32, _THREE, lambda e, a, b, c: _dot_product(e, a, b, c, steps=4)),
        "dp2a.i32": MicroOp(_I32, _THREE, lambda e, a, b, c: _dot_product(e, a, b, c, steps=2)),
        "fns.i32": MicroOp(_I32, _THREE, _find_nth_set),
        **{
            f"shf.{side}.{mode}": MicroOp(
                _I32,
                _THREE,
                lambda e, a, b, c, side=side, mode=mode: _funnel(
                    e, a, b, c, left=side == "l", wrap=mode == "wrap"
                ),
            )
            for side in ("l", "r")
            for mode in ("clamp", "wrap")
        },
    }


def _lookup(e: Emit, a: Value, b: Value, c: Value) -> Value:
    """``lop3`` with the immediate as truth table."""
    inverted = e.const(_I32, -1)
    result = e.const(_I32, 0)
    for row in range(8):
        term = inverted
        for value, bit in ((a, 4), (b, 2), (c, 1)):
            term = e.b.and_(term, value if row & bit else e.b.xor(value, inverted))
        chosen = e.b.trunc(e.b.lshr(e.imm, e.imm.type(row)), _I32.element)
        keep = e.b.sub(_I32.element(0), e.b.and_(chosen, _I32.element(1)))
        result = e.b.or_(result, e.b.and_(term, e.splat(keep)))
    return result


def _permute(e: Emit, a: Value, b: Value, selector: Value) -> Value:
    pair = _joined(e, a, b)
    result = e.const(_I32, 0)
    for position in range(4):
        nibble = e.b.and_(e.b.lshr(selector, e.const(_I32, 4 * position)), e.const(_I32, 15))
        amount = e.b.shl(e.b.zext(e.b.and_(nibble, e.const(_I32, 7)), e.type(_I64)), e.const(_I64, 3))
        byte = e.b.trunc(e.b.lshr(pair, amount), e.type(_I8))
        signs = e.b.ashr(byte, e.const(_I8, 7))
        replicate = e.b.icmp_unsigned("!=", e.b.and_(nibble, e.const(_I32, 8)), e.const(_I32, 0))
        chosen = e.b.zext(e.b.select(replicate, signs, byte), e.type(_I32))
        result = e.b.or_(result, e.b.shl(chosen, e.const(_I32, 8 * position)))
    return result


def _funnel(e: Emit, low: Value, high: Value, amount: Value, *, left: bool, wrap: bool) -> Value:
    limited = e.b.and_(amount, e.const(_I32, 31)) if wrap else e.call("umin", _I32, amount, e.const(_I32, 32))
    n = e.b.zext(limited, e.type(_I64))
    pair = _joined(e, low, high)
    if left:
        return e.b.trunc(e.b.lshr(e.b.shl(pair, n), e.const(_I64, 32)), e.type(_I32))
    return e.b.trunc(e.b.lshr(pair, n), e.type(_I32))


def _joined(e: Emit, low: Value, high: Value) -> Value:
    return e.b.or_(e.b.zext(low, e.type(_I64)), e.b.shl(e.b.zext(high, e.type(_I64)), e.const(_I64, 32)))


def _dot_product(e: Emit, a: Value, b: Value, c: Value, *, steps: int) -> Value:
    """``c`` plus the products of the ``steps`` parts of a with the low bytes of b.

    The immediate's low half is the sign bit of a's parts, its high half that of b's parts; 0 if they are unsigned.
    Flipping the sign bit and subtracting it again extends the sign.
    """
    signs = [e.splat(e.b.trunc(e.b.lshr(e.imm, e.imm.type(shift)), _I32.element)) for shift in (0, 32)]

    def part(word: Value, index: int, bits: int, sign: Value) -> Value:
        field = e.b.lshr(word, e.const(_I32, index * bits))
        return e.b.sub(e.b.xor(e.b.and_(field, e.const(_I32, (1 << bits) - 1)), sign), sign)

    total = c
    for index in range(steps):
        product = e.b.mul(part(a, index, 32 // steps, signs[0]), part(b, index, 8, signs[1]))
        total = e.b.add(total, product)
    return total


def _find_nth_set(e: Emit, bits: Value, base: Value, offset: Value) -> Value:
    """The ``offset``-th set bit from ``base`` upwards, or downwards if negative; all ones if there is none.

    Offset 0 tests the bit at ``base``. A downward search is an upward search in the reversed word.
    """
    zero, one, last = (e.const(_I32, number) for number in (0, 1, 31))
    down = e.b.icmp_signed("<", offset, zero)
    word = e.b.select(down, e.call("bitreverse", _I32, bits), bits)
    start = e.b.and_(e.b.select(down, e.b.sub(last, base), base), last)
    here = e.b.icmp_unsigned("==", offset, zero)
    kept = e.b.select(here, e.b.shl(one, start), e.b.shl(e.const(_I32, -1), start))
    word = e.b.and_(word, kept)
    wanted = e.b.select(down, e.b.sub(zero, offset), e.b.select(here, one, offset))
    found = e.b.icmp_unsigned("<=", wanted, e.call("ctpop", _I32, word))
    place = zero
    for half in (16, 8, 4, 2, 1):
        part = e.b.and_(e.b.lshr(word, place), e.const(_I32, (1 << half) - 1))
        count = e.call("ctpop", _I32, part)
        beyond = e.b.icmp_unsigned(">", wanted, count)
        wanted = e.b.select(beyond, e.b.sub(wanted, count), wanted)
        place = e.b.select(beyond, e.b.add(place, e.const(_I32, half)), place)
    place = e.b.and_(place, last)
    return e.b.select(found, e.b.select(down, e.b.sub(last, place), place), e.const(_I32, -1))
