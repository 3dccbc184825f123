"""Decode 32- and 64-bit floating-point arithmetic, and choose the decoder of an arithmetic instruction by its type."""

from grader.engines.emulator.decode.arithmetic import INTEGER, Handler, type_of
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.bit_ops import BIT_OPS
from grader.engines.emulator.decode.bits import BITS
from grader.engines.emulator.decode.extended_precision import decode_with_carry
from grader.engines.emulator.decode.halves import HALVES
from grader.engines.emulator.decode.program import Unit, UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.ptx.syntax import Instruction

_ROUNDINGS = {"rn": "", "rz": ".rz", "rm": ".rm", "rp": ".rp"}
_PRED = TYPES["pred"]
_COUNTED = {32: Unit.FP32, 64: Unit.FP64}


def _arithmetic(name: str, operands: int, *modifiers: str) -> Handler:
    """An operation with an optional rounding, ``.ftz`` and ``.sat``; ``modifiers`` have no effect."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        type_ = type_of(ins)
        middle = set(ins.opcode[1:-1])
        if (
            not type_.is_float
            or type_.bits not in _COUNTED
            or middle - {*_ROUNDINGS, *modifiers, "ftz", "sat"}
        ):
            raise UnsupportedError(ins.text)
        roundings = [suffix for rounding, suffix in _ROUNDINGS.items() if rounding in middle]
        suffix = roundings[0] if roundings else ""
        asm.unit = _COUNTED[type_.bits]
        flush, saturate = "ftz" in middle, "sat" in middle
        rows = [_flushed(asm, text, type_, flush=flush) for text in ins.operands[1 : operands + 1]]
        target = asm.destination(ins.operands[0], type_)
        asm.emit(f"{name}.{type_.token}{suffix}", target, *rows)
        if flush:
            asm.emit(f"ftz.{type_.token}", target, target)
        if saturate:
            asm.emit(f"sat.{type_.token}", target, target)

    return decode


def _flushed(asm: Assembler, text: str, type_: PtxType, *, flush: bool) -> int:
    row = asm.source(text, type_)
    if not flush:
        return row
    flushed = asm.temporary(type_.cell)
    asm.emit(f"ftz.{type_.token}", flushed, row)
    return flushed


def _test_property(asm: Assembler, ins: Instruction) -> None:
    """``testp``: a class of floats is one or two ranges of magnitudes, compared as integers. Zeros count as normal."""
    type_, wanted = type_of(ins), ins.opcode[1]
    token = type_.integer.token
    infinity, smallest = (0x7F800000, 0x00800000) if type_.bits == 32 else (0x7FF << 52, 1 << 52)
    top = (1 << (type_.bits - 1)) - 1
    ranges = {
        "finite": [(0, infinity - 1)],
        "infinite": [(infinity, infinity)],
        "number": [(0, infinity)],
        "notanumber": [(infinity + 1, top)],
        "normal": [(smallest, infinity - 1), (0, 0)],
        "subnormal": [(1, smallest - 1)],
    }
    if wanted not in ranges:
        raise UnsupportedError(ins.text)
    magnitude = asm.temporary(type_.integer)
    asm.emit(f"testbits.{type_.token}", magnitude, asm.source(ins.operands[1], type_))
    holds, above, below = (asm.temporary(_PRED.cell) for _ in range(3))
    asm.emit("mov.p", holds, asm.constants.predicate(value=False))
    for low, high in ranges[wanted]:
        asm.emit(f"set.ule.{token}", above, asm.constants.number(low, type_.bytes), magnitude)
        asm.emit(f"set.ule.{token}", below, magnitude, asm.constants.number(high, type_.bytes))
        asm.emit("and.p", above, above, below)
        asm.emit("or.p", holds, holds, above)
    asm.emit("mov.p", asm.destination(ins.operands[0], _PRED), holds)


def _divide(asm: Assembler, ins: Instruction) -> None:
    _DIVISIONS["approx" in ins.opcode](asm, ins)


_DIVISIONS = {False: _arithmetic("div", 2, "full"), True: _arithmetic("quotient", 2, "approx")}
"""Decoders of division by whether it is approximate."""

_FLOAT: dict[str, Handler] = {
    "add": _arithmetic("add", 2),
    "sub": _arithmetic("sub", 2),
    "mul": _arithmetic("mul", 2),
    "fma": _arithmetic("fma", 3),
    "mad": _arithmetic("fma", 3),
    "div": _divide,
    "rcp": _arithmetic("rcp", 1, "approx"),
    "sqrt": _arithmetic("sqrt", 1, "approx"),
    "rsqrt": _arithmetic("rsqrt", 1, "approx"),
    "sin": _arithmetic("sin", 1, "approx"),
    "cos": _arithmetic("cos", 1, "approx"),
    "ex2": _arithmetic("ex2", 1, "approx"),
    "lg2": _arithmetic("lg2", 1, "approx"),
    "tanh": _arithmetic("tanh", 1, "approx"),
    "min": _arithmetic("min", 2),
    "max": _arithmetic("max", 2),
    "neg": _arithmetic("neg", 1),
    "abs": _arithmetic("abs", 1),
    "copysign": _arithmetic("copysign", 2),
    "testp": _test_property,
}


_TABLES: dict[str, dict[str, Handler]] = {
    "f16": HALVES,
    "f16x2": HALVES,
    "f32": _FLOAT,
    "f64": _FLOAT,
}
_OTHERS = INTEGER | BITS | BIT_OPS
_CARRY_BASES = {"addc", "subc", "madc"}


def _by_type(base: str) -> Handler:
    """Choose the decoder of ``base`` by type: integer, float, or with carry as in ``mad.cc``."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        table = _TABLES.get(ins.opcode[-1], _OTHERS)
        handler = decode_with_carry if "cc" in ins.opcode or base in _CARRY_BASES else table.get(base)
        if handler is None:
            raise UnsupportedError(ins.text)
        handler(asm, ins)

    return decode


ARITHMETIC: dict[str, Handler] = {
    base: _by_type(base) for base in _OTHERS.keys() | _FLOAT.keys() | HALVES.keys() | _CARRY_BASES
}
"""Decoders of all arithmetic instructions by the base of the opcode."""
