"""``cvt`` in all its forms, and ``cvta``."""

from grader.engines.emulator.core.records import LOCAL_ORIGIN, SHARED_ORIGIN
from grader.engines.emulator.decode.arithmetic import Handler, type_of
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.isa.conversions import INTEGRAL
from grader.engines.emulator.ptx.syntax import Instruction

_ROUNDINGS = {"rn": "", "rz": ".rz", "rm": ".rm", "rp": ".rp"}
_ORIGINS = {"shared": SHARED_ORIGIN, "local": LOCAL_ORIGIN, "global": 0, "const": 0, "param": 0}


def _cvt(asm: Assembler, ins: Instruction) -> None:
    if len(ins.opcode) < 3 or ins.opcode[-2] not in TYPES:  # noqa: PLR2004 - cvt, target, source
        raise UnsupportedError(ins.text)
    result, source = TYPES[ins.opcode[-2]], type_of(ins)
    modifiers = set(ins.opcode[1:-2])
    if modifiers - {*_ROUNDINGS, *INTEGRAL, "ftz", "sat"}:
        raise UnsupportedError(ins.text)
    row = asm.source(ins.operands[1], source)
    target = asm.destination(ins.operands[0], result)
    if source.is_float and result.is_float:
        _among_floats(asm, ins, row, target, result, source, modifiers)
    elif source.is_float:
        _to_integer(asm, ins, row, target, result, source, modifiers)
    elif result.is_float:
        _from_integer(asm, row, target, result, source, modifiers)
    else:
        _among_integers(asm, row, target, result, source, saturate="sat" in modifiers)
    asm.settle(ins.operands[0], result, target)


def _suffix(modifiers: set[str]) -> str:
    return next((suffix for name, suffix in _ROUNDINGS.items() if name in modifiers), "")


def _integral(modifiers: set[str]) -> str | None:
    return next((name for name in INTEGRAL if name in modifiers), None)


def _among_floats(
    asm: Assembler,
    ins: Instruction,
    row: int,
    target: int,
    result: PtxType,
    source: PtxType,
    modifiers: set[str],
) -> None:
    if {result.bits, source.bits} == {16, 64}:
        raise UnsupportedError(ins.text)
    if "ftz" in modifiers and source.bits == 32:  # noqa: PLR2004 - bits
        flushed = asm.temporary(source.cell)
        asm.emit(f"ftz.{source.token}", flushed, row)
        row = flushed
    integral = _integral(modifiers)
    if result.bits > source.bits:
        asm.emit(f"fext.{result.token}.{source.token}", target, row)
    elif result.bits < source.bits:
        asm.emit(f"fround.{result.token}.{source.token}{_suffix(modifiers)}", target, row)
    elif integral is not None:
        asm.emit(f"{integral}.{result.token}", target, row)
    else:
        asm.emit(f"mov.{result.integer.token}", target, row)
    if "ftz" in modifiers and result.bits == 32:  # noqa: PLR2004 - bits
        asm.emit(f"ftz.{result.token}", target, target)
    if "sat" in modifiers:
        asm.emit(f"sat.{result.token}", target, target)


def _to_integer(
    asm: Assembler,
    ins: Instruction,
    row: int,
    target: int,
    result: PtxType,
    source: PtxType,
    modifiers: set[str],
) -> None:
    """Round to an integral value, then convert; out of range saturates to the result's type."""
    integral = _integral(modifiers)
    if integral is None:
        raise UnsupportedError(ins.text)
    if source.bits == 16:  # noqa: PLR2004 - bits
        wide = asm.temporary(TYPES["f32"].cell)
        asm.emit("fext.f32.f16", wide, row)
        row, source = wide, TYPES["f32"]
    rounded = asm.temporary(source.cell)
    if "ftz" in modifiers:
        asm.emit(f"ftz.{source.token}", rounded, row)
        row = rounded
    asm.emit(f"{integral}.{source.token}", rounded, row)
    letter = "s" if result.is_signed else "u"
    if result.bits >= 16:  # noqa: PLR2004 - bits of the narrowest register
        asm.emit(f"fto{letter}.{result.integer.token}.{source.token}", target, rounded)
        return
    asm.emit(f"fto{letter}.i16.{source.token}", target, rounded)
    low, high = _range(result)
    asm.emit(f"{letter}min.i16", target, target, asm.constants.number(high, 2))
    asm.emit(f"{letter}max.i16", target, target, asm.constants.number(low, 2))


def _range(type_: PtxType) -> tuple[int, int]:
    if type_.is_signed:
        return -(1 << (type_.bits - 1)), (1 << (type_.bits - 1)) - 1
    return 0, (1 << type_.bits) - 1


def _from_integer(
    asm: Assembler, row: int, target: int, result: PtxType, source: PtxType, modifiers: set[str]
) -> None:
    if source.bits < 32:  # noqa: PLR2004 - bits
        word = asm.temporary(TYPES["b32"].cell)
        narrow = asm.temporary(TYPES["b16"].cell)
        if source.bits == 8:  # noqa: PLR2004 - bits
            asm.emit("slow8.i16" if source.is_signed else "zlow8.i16", narrow, row)
            row = narrow
        asm.emit("sext.i32.i16" if source.is_signed else "zext.i32.i16", word, row)
        row, source = word, TYPES["s32" if source.is_signed else "u32"]
    letter = "s" if source.is_signed else "u"
    into = target if result.bits > 16 else asm.temporary(TYPES["f32"].cell)  # noqa: PLR2004 - bits
    token = result.token if result.bits > 16 else "f32"  # noqa: PLR2004 - bits
    asm.emit(f"{letter}tof.{token}.{source.integer.token}{_suffix(modifiers)}", into, row)
    if result.bits == 16:  # noqa: PLR2004 - bits
        asm.emit(f"fround.f16.f32{_suffix(modifiers)}", target, into)
    if "sat" in modifiers:
        asm.emit(f"sat.{result.token}", target, target)


def _among_integers(
    asm: Assembler, row: int, target: int, result: PtxType, source: PtxType, *, saturate: bool
) -> None:
    """Extend by the source's sign (after cutting to its width), then cut to the result's width."""
    have = max(source.bits, 16)
    if source.bits == 8:  # noqa: PLR2004 - bits
        cut = asm.temporary(TYPES["b16"].cell)
        asm.emit("slow8.i16" if source.is_signed else "zlow8.i16", cut, row)
        row = cut
    if saturate:
        row = _clamped(asm, row, result, source, have)
    want = max(result.bits, 16)
    if want == have:
        asm.emit(f"mov.i{have}", target, row)
    elif want > have:
        asm.emit(f"{'sext' if source.is_signed else 'zext'}.i{want}.i{have}", target, row)
    else:
        asm.emit(f"trunc.i{want}.i{have}", target, row)
    if result.bits == 8:  # noqa: PLR2004 - bits
        asm.emit("slow8.i16" if result.is_signed else "zlow8.i16", target, target)


def _clamped(asm: Assembler, row: int, result: PtxType, source: PtxType, have: int) -> int:
    low, high = _range(result)
    least, most = _range(source)
    cell = TYPES[f"b{have}"].cell
    letter = "s" if source.is_signed else "u"
    clamped = row
    if most > high:
        into = asm.temporary(cell)
        asm.emit(f"{letter}min.i{have}", into, clamped, asm.constants.number(high, have // 8))
        clamped = into
    if least < low:
        into = asm.temporary(cell)
        asm.emit(f"{letter}max.i{have}", into, clamped, asm.constants.number(low, have // 8))
        clamped = into
    return clamped


def _cvta(asm: Assembler, ins: Instruction) -> None:
    """Between generic addresses and those of one space, which differ for shared and local memory only."""
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
"""Decoders by base."""
