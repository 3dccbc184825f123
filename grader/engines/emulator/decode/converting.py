"""Decode all forms of ``cvt``, and ``cvta``."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from grader.engines.emulator.core.addresses import LOCAL_ORIGIN, SHARED_ORIGIN
from grader.engines.emulator.decode.arithmetic import Handler, type_of
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.halves import widen
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.isa.conversions import INTEGRAL
from grader.engines.emulator.ptx.syntax import Instruction

_ROUNDINGS = {"rn": "", "rz": ".rz", "rm": ".rm", "rp": ".rp"}
_EXTENSION = {"s": "s", "u": "z"}
"""Letters for sign and zero extension in the names of micro-operations."""

_F32, _F64, _WORD, _PRED = (TYPES[name] for name in ("f32", "f64", "b32", "pred"))
_PACKED = re.compile(r"(?P<letter>[su])(?P<bits>16|8|4|2)")
_ORIGINS = {"shared": SHARED_ORIGIN, "local": LOCAL_ORIGIN, "global": 0, "const": 0, "param": 0}


@dataclass(frozen=True, slots=True)
class _Conversion:
    """One ``cvt``: from a row of ``source`` to a row of ``result``."""

    text: str
    result: PtxType
    source: PtxType
    modifiers: frozenset[str]

    @property
    def rounding(self) -> str:
        """The suffix of micro-operations that round."""
        return next((suffix for name, suffix in _ROUNDINGS.items() if name in self.modifiers), "")

    @property
    def integral(self) -> str | None:
        """The rounding to an integral value, if there is one."""
        return next((name for name in INTEGRAL if name in self.modifiers), None)


def _cvt(asm: Assembler, ins: Instruction) -> None:
    if ins.opcode[1:3] == ("pack", "sat"):
        _pack(asm, ins)
        return
    if len(ins.opcode) < 3 or ins.opcode[-2] not in TYPES:
        raise UnsupportedError(ins.text)
    c = _Conversion(ins.text, TYPES[ins.opcode[-2]], type_of(ins), frozenset(ins.opcode[1:-2]))
    if c.modifiers - {*_ROUNDINGS, *INTEGRAL, "ftz", "sat"}:
        raise UnsupportedError(ins.text)
    row = asm.source(ins.operands[1], c.source)
    target = asm.destination(ins.operands[0], c.result)
    convert = _BY_KIND[c.source.is_float, c.result.is_float]
    convert(asm, c, row, target)
    asm.settle(ins.operands[0], c.result, target)


def _among_floats(asm: Assembler, c: _Conversion, row: int, target: int) -> None:
    """Convert between floats, halves through float32. Clamping may precede rounding because 0 and 1 are exact."""
    row, type_ = _flushed_and_widened(asm, c, row)
    if c.integral is not None:
        row = _applied(asm, f"{c.integral}.{type_.token}", type_, row)
    if "sat" in c.modifiers:
        row = _applied(asm, f"sat.{type_.token}", type_, row)
    if c.result.bits == 16:
        if type_ is _F64:
            row = _applied(asm, "fodd.f32.f64", _F32, row)
        asm.emit(f"fround.f16.f32{c.rounding}", target, row)
    elif c.result.bits > type_.bits:
        asm.emit("fext.f64.f32", target, row)
    elif c.result.bits < type_.bits:
        asm.emit(f"fround.f32.f64{c.rounding}", target, row)
    else:
        asm.emit(f"mov.{c.result.integer.token}", target, row)
    if "ftz" in c.modifiers and c.result is _F32:
        asm.emit("ftz.f32", target, target)


def _flushed_and_widened(asm: Assembler, c: _Conversion, row: int) -> tuple[int, PtxType]:
    """The source, at least 32 bits wide and with ``.ftz`` without subnormals, and its type.

    Hardware ignores ``.ftz`` in conversions to half precision.
    """
    if c.source.bits == 16:
        return widen(asm, row), _F32
    if "ftz" in c.modifiers and c.source is _F32 and c.result.name != "f16":
        row = _applied(asm, "ftz.f32", _F32, row)
    return row, c.source


def _applied(asm: Assembler, op: str, result: PtxType, row: int) -> int:
    into = asm.temporary(result.cell)
    asm.emit(op, into, row)
    return into


def _to_integer(asm: Assembler, c: _Conversion, row: int, target: int) -> None:
    """Round to an integral value, then convert; out of range saturates to the result's type."""
    if c.integral is None:
        raise UnsupportedError(c.text)
    row, type_ = _flushed_and_widened(asm, c, row)
    rounded = _applied(asm, f"{c.integral}.{type_.token}", type_, row)
    letter = "s" if c.result.is_signed else "u"
    if c.result.bits >= 16:
        asm.emit(f"fto{letter}.{c.result.integer.token}.{type_.token}", target, rounded)
        return
    asm.emit(f"fto{letter}.i16.{type_.token}", target, rounded)
    low, high = _range(c.result)
    asm.emit(f"{letter}min.i16", target, target, asm.constants.number(high, 2))
    asm.emit(f"{letter}max.i16", target, target, asm.constants.number(low, 2))
    if type_ is _F64:
        nothing = asm.temporary(_PRED.cell)
        asm.emit("set.nan.f64", nothing, row, row)
        asm.emit("selp.i16", target, asm.constants.number(low or high + 1 >> 1, 2), target, nothing)


def _range(type_: PtxType) -> tuple[int, int]:
    return _limits(type_.bits, signed=type_.is_signed)


def _limits(bits: int, *, signed: bool) -> tuple[int, int]:
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)


def _from_integer(asm: Assembler, c: _Conversion, row: int, target: int) -> None:
    source = c.source
    letter = "s" if source.is_signed else "u"
    if source.bits < 32:
        if source.bits == 8:
            row = _applied(asm, f"{_EXTENSION[letter]}low8.i16", TYPES["b16"], row)
        row, source = (
            _applied(asm, f"{_EXTENSION[letter]}ext.i32.i16", TYPES["b32"], row),
            TYPES[f"{letter}32"],
        )
    half = c.result.bits == 16
    type_ = _F32 if half else c.result
    row = _applied(asm, f"{letter}tof.{type_.token}.{source.integer.token}{c.rounding}", type_, row)
    if "sat" in c.modifiers:
        row = _applied(asm, f"sat.{type_.token}", type_, row)
    asm.emit(f"fround.f16.f32{c.rounding}" if half else f"mov.{type_.integer.token}", target, row)


def _among_integers(asm: Assembler, c: _Conversion, row: int, target: int) -> None:
    """Extend by the source's sign (after cutting to its width), then cut to the result's width."""
    have, want = max(c.source.bits, 16), max(c.result.bits, 16)
    letter = "s" if c.source.is_signed else "u"
    if c.source.bits == 8:
        row = _applied(asm, f"{_EXTENSION[letter]}low8.i16", TYPES["b16"], row)
    if "sat" in c.modifiers:
        row = _clamped(asm, row, c.result, c.source, have)
    if want == have:
        asm.emit(f"mov.i{have}", target, row)
    elif want > have:
        asm.emit(f"{_EXTENSION[letter]}ext.i{want}.i{have}", target, row)
    else:
        asm.emit(f"trunc.i{want}.i{have}", target, row)
    if c.result.bits == 8:
        asm.emit("slow8.i16" if c.result.is_signed else "zlow8.i16", target, target)


def _clamped(asm: Assembler, row: int, result: PtxType, source: PtxType, have: int) -> int:
    low, high = _range(result)
    least, most = _range(source)
    letter, type_ = "s" if source.is_signed else "u", TYPES[f"b{have}"]
    for operation, limit, needed in (("min", high, most > high), ("max", low, least < low)):
        if needed:
            into = asm.temporary(type_.cell)
            asm.emit(f"{letter}{operation}.i{have}", into, row, asm.constants.number(limit, type_.bytes))
            row = into
    return row


_BY_KIND: dict[tuple[bool, bool], Callable[[Assembler, _Conversion, int, int], None]] = {
    (True, True): _among_floats,
    (True, False): _to_integer,
    (False, True): _from_integer,
    (False, False): _among_integers,
}
"""Decoders by whether source and result are floats."""


def _pack(asm: Assembler, ins: Instruction) -> None:
    """``cvt.pack.sat``: two clamped numbers in the low bits, the low bits of a third operand above them."""
    match = _PACKED.fullmatch(ins.opcode[3])
    if match is None or ins.opcode[4:] != (("s32",) if match["bits"] == "16" else ("s32", "b32")):
        raise UnsupportedError(ins.text)
    bits = int(match["bits"])
    low, high = _limits(bits, signed=match["letter"] == "s")
    packed = asm.temporary(_WORD.cell)
    above = asm.source(ins.operands[3], _WORD) if len(ins.operands) > 3 else asm.constants.number(0, 4)
    for text in ins.operands[1:3]:
        piece = asm.temporary(_WORD.cell)
        asm.emit("smin.i32", piece, asm.source(text, _WORD), asm.constants.number(high, 4))
        asm.emit("smax.i32", piece, piece, asm.constants.number(low, 4))
        asm.emit("and.i32", piece, piece, asm.constants.number((1 << bits) - 1, 4))
        asm.emit("shl.i32", packed, above, asm.constants.number(bits, 4))
        asm.emit("or.i32", packed, packed, piece)
        above = packed
    target = asm.destination(ins.operands[0], _WORD)
    asm.emit("mov.i32", target, packed)
    asm.settle(ins.operands[0], _WORD, target)


def _cvta(asm: Assembler, ins: Instruction) -> None:
    """Convert between generic addresses and those of one space; only shared and local memory differ."""
    type_ = type_of(ins)
    spaces = [part for part in ins.opcode[1:-1] if part.split("::")[0] in _ORIGINS]
    if len(spaces) != 1 or set(ins.opcode[1:-1]) - {"to", *spaces}:
        raise UnsupportedError(ins.text)
    origin = _ORIGINS[spaces[0].split("::")[0]]
    row = asm.source(ins.operands[1], type_)
    target = asm.destination(ins.operands[0], type_)
    if origin == 0:
        asm.emit(f"mov.{type_.integer.token}", target, row)
    else:
        operation = "sub" if "to" in ins.opcode else "add"
        asm.emit(f"{operation}.{type_.integer.token}", target, row, asm.constants.number(origin, type_.bytes))
    asm.settle(ins.operands[0], type_, target)


CONVERTING: dict[str, Handler] = {"cvt": _cvt, "cvta": _cvta}
"""Decoders by the base of the opcode."""
