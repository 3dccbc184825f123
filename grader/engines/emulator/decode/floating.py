"""Floating-point arithmetic."""

from grader.engines.emulator.decode.arithmetic import INTEGER, Handler, type_of
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import Unit, UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.ptx.syntax import Instruction

_ROUNDINGS = {"rn": "", "rz": ".rz", "rm": ".rm", "rp": ".rp"}
_COUNTED = {32: Unit.FP32, 64: Unit.FP64}


def _arithmetic(name: str, operands: int, *modifiers: str) -> Handler:
    """An operation with an optional rounding, ``.ftz`` and ``.sat``; ``modifiers`` say the same as no modifier."""

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
    """``testp``: a class of floats is a range of magnitudes, compared as integers."""
    type_, wanted = type_of(ins), ins.opcode[1]
    token = type_.integer.token
    infinity, smallest = (0x7F800000, 0x00800000) if type_.bits == 32 else (0x7FF << 52, 1 << 52)  # noqa: PLR2004 - bits
    top = (1 << (type_.bits - 1)) - 1
    ranges = {
        "finite": (0, infinity - 1),
        "infinite": (infinity, infinity),
        "number": (0, infinity),
        "notanumber": (infinity + 1, top),
        "normal": (smallest, infinity - 1),
        "subnormal": (1, smallest - 1),
    }
    if wanted not in ranges:
        raise UnsupportedError(ins.text)
    low, high = ranges[wanted]
    magnitude = asm.temporary(type_.integer)
    asm.emit(f"testbits.{type_.token}", magnitude, asm.source(ins.operands[1], type_))
    above, below = asm.temporary(TYPES["pred"].cell), asm.temporary(TYPES["pred"].cell)
    asm.emit(f"set.ule.{token}", above, asm.constants.number(low, type_.bytes), magnitude)
    asm.emit(f"set.ule.{token}", below, magnitude, asm.constants.number(high, type_.bytes))
    asm.emit("and.p", asm.destination(ins.operands[0], TYPES["pred"]), above, below)


_FLOAT: dict[str, Handler] = {
    "add": _arithmetic("add", 2),
    "sub": _arithmetic("sub", 2),
    "mul": _arithmetic("mul", 2),
    "fma": _arithmetic("fma", 3),
    "mad": _arithmetic("fma", 3),
    "div": _arithmetic("div", 2, "approx", "full"),
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


def _by_type(base: str) -> Handler:
    """``add`` is one instruction for integers and another for floats; ``mad.cc`` is about carries."""
    floating, integer = _FLOAT.get(base), INTEGER.get(base)

    def decode(asm: Assembler, ins: Instruction) -> None:
        chosen = floating if type_of(ins).is_float else integer
        if base == "mad" and "cc" in ins.opcode:
            chosen = INTEGER["madc"]
        if chosen is None:
            raise UnsupportedError(ins.text)
        chosen(asm, ins)

    return decode


ARITHMETIC: dict[str, Handler] = {base: _by_type(base) for base in INTEGER.keys() | _FLOAT.keys()}
"""Decoders of all arithmetic instructions by their base."""
