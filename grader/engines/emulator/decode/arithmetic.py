"""Decode integer arithmetic."""

from collections.abc import Callable

from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

Handler = Callable[[Assembler, Instruction], None]

_WIDER = {16: 32, 32: 64}


def type_of(ins: Instruction) -> PtxType:
    """The type at the end of an opcode. Raises: ``UnsupportedError``."""
    type_ = TYPES.get(ins.opcode[-1])
    if type_ is None:
        raise UnsupportedError(ins.text)
    return type_


def only(ins: Instruction, *allowed: str) -> None:
    """Reject modifiers (between the base and the type) other than ``allowed``."""
    if not set(ins.opcode[1:-1]) <= set(allowed):
        raise UnsupportedError(ins.text)


def simple(asm: Assembler, ins: Instruction, op: str, type_: PtxType, *sources: PtxType) -> None:
    """Emit ``op`` with the destination of ``type_`` and one source of each of ``sources``."""
    rows = [asm.source(text, source) for text, source in zip(ins.operands[1:], sources, strict=True)]
    target = asm.destination(ins.operands[0], type_)
    asm.emit(op, target, *rows)
    asm.settle(ins.operands[0], type_, target)


def _signed(name: str) -> Handler:
    """An operation that has a signed and an unsigned form: ``div``, ``min``."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        only(ins)
        type_ = type_of(ins)
        letter = "s" if type_.is_signed else "u"
        simple(asm, ins, f"{letter}{name}.{type_.integer.token}", type_, type_, type_)

    return decode


def _multiply(asm: Assembler, ins: Instruction) -> None:
    only(ins, "lo", "hi", "wide")
    type_ = type_of(ins)
    letter = "s" if type_.is_signed else "u"
    if "wide" in ins.opcode:
        wide = TYPES[f"{type_.kind}{_WIDER[type_.bits]}"]
        simple(asm, ins, f"{letter}mulwide.{type_.integer.token}", wide, type_, type_)
    elif "hi" in ins.opcode:
        simple(asm, ins, f"{letter}mulhi.{type_.integer.token}", type_, type_, type_)
    else:
        simple(asm, ins, f"mul.{type_.integer.token}", type_, type_, type_)


def _multiply_add(asm: Assembler, ins: Instruction) -> None:
    only(ins, *(("hi", "sat") if "hi" in ins.opcode else ("lo", "wide")))
    type_ = type_of(ins)
    letter = "s" if type_.is_signed else "u"
    if "wide" in ins.opcode:
        wide = TYPES[f"{type_.kind}{_WIDER[type_.bits]}"]
        simple(asm, ins, f"{letter}madwide.{type_.integer.token}", wide, type_, type_, wide)
    elif "hi" in ins.opcode:
        _plus_third(asm, ins, product(asm, ins, type_, high=True))
    else:
        simple(asm, ins, f"mad.{type_.integer.token}", type_, type_, type_, type_)


def product(asm: Assembler, ins: Instruction, type_: PtxType, *, high: bool) -> int:
    """A row with one half of the product of the first two operands."""
    token = type_.integer.token
    row = asm.temporary(type_.integer)
    name = f"{'s' if type_.is_signed else 'u'}mulhi.{token}" if high else f"mul.{token}"
    asm.emit(name, row, asm.source(ins.operands[1], type_), asm.source(ins.operands[2], type_))
    return row


def _product_24(asm: Assembler, ins: Instruction) -> None:
    """``mul24`` and ``mad24``: the low or the high 32 bits of the 48-bit product of the operands' low 24 bits."""
    saturating = "hi" in ins.opcode and ins.opcode[0] == "mad24"
    only(ins, "lo", "hi", *(("sat",) if saturating else ()))
    type_ = type_of(ins)
    letter = "s" if type_.is_signed else "u"
    eight = asm.constants.number(8, 4)
    factors = []
    for text in ins.operands[1:3]:
        factor = asm.temporary(Cell.I32)
        asm.emit("shl.i32", factor, asm.source(text, type_), eight)
        asm.emit("sar.i32" if type_.is_signed else "shr.i32", factor, factor, eight)
        factors.append(factor)
    half = asm.temporary(Cell.I32)
    if "hi" in ins.opcode:
        wide = asm.temporary(Cell.I64)
        asm.emit(f"{letter}mulwide.i32", wide, *factors)
        asm.emit("shr.i64", wide, wide, asm.constants.number(16, 4))
        asm.emit("trunc.i32.i64", half, wide)
    else:
        asm.emit("mul.i32", half, *factors)
    _plus_third(asm, ins, half)


def _plus_third(asm: Assembler, ins: Instruction, row: int) -> None:
    """Finish a product: add the third operand, if any; with ``.sat`` clamp the sum to 32 bits."""
    type_ = type_of(ins)
    if len(ins.operands) < 4:
        target = asm.destination(ins.operands[0], type_)
        asm.emit(f"mov.{type_.integer.token}", target, row)
        asm.settle(ins.operands[0], type_, target)
        return
    addend = asm.source(ins.operands[3], type_)
    if "sat" in ins.opcode:
        _saturating(asm, ins, "add", row, addend)
        return
    target = asm.destination(ins.operands[0], type_)
    asm.emit(f"add.{type_.integer.token}", target, row, addend)
    asm.settle(ins.operands[0], type_, target)


def _saturating(asm: Assembler, ins: Instruction, operation: str, a: int, b: int) -> None:
    """Add or subtract ``a`` and ``b`` and clamp the result to the range of ``s32``."""
    type_ = type_of(ins)
    if type_.name != "s32":
        raise UnsupportedError(ins.text)
    rows = [asm.temporary(Cell.I64), asm.temporary(Cell.I64)]
    for row, source in zip(rows, (a, b), strict=True):
        asm.emit("sext.i64.i32", row, source)
    result = rows[0]
    asm.emit(f"{operation}.i64", result, *rows)
    asm.emit("smin.i64", result, result, asm.constants.number(2**31 - 1, 8))
    asm.emit("smax.i64", result, result, asm.constants.number(-(2**31), 8))
    target = asm.destination(ins.operands[0], type_)
    asm.emit("trunc.i32.i64", target, result)
    asm.settle(ins.operands[0], type_, target)


def _sum_of_differences(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    token, letter = type_.integer.token, "s" if type_.is_signed else "u"
    a, b, c = (asm.source(text, type_) for text in ins.operands[1:])
    low, high = asm.temporary(type_.integer), asm.temporary(type_.integer)
    asm.emit(f"{letter}min.{token}", low, a, b)
    asm.emit(f"{letter}max.{token}", high, a, b)
    asm.emit(f"sub.{token}", high, high, low)
    target = asm.destination(ins.operands[0], type_)
    asm.emit(f"add.{token}", target, high, c)
    asm.settle(ins.operands[0], type_, target)


def _add_or_subtract(asm: Assembler, ins: Instruction) -> None:
    only(ins, "sat")
    type_ = type_of(ins)
    if "sat" in ins.opcode:
        a, b = (asm.source(text, type_) for text in ins.operands[1:])
        _saturating(asm, ins, ins.opcode[0], a, b)
    else:
        simple(asm, ins, f"{ins.opcode[0]}.{type_.integer.token}", type_, type_, type_)


def _absolute(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    simple(asm, ins, f"{ins.opcode[0]}.{type_.integer.token}", type_, type_)


INTEGER: dict[str, Handler] = {
    "add": _add_or_subtract,
    "sub": _add_or_subtract,
    "mul": _multiply,
    "mad": _multiply_add,
    "mul24": _product_24,
    "mad24": _product_24,
    "sad": _sum_of_differences,
    "div": _signed("div"),
    "rem": _signed("rem"),
    "min": _signed("min"),
    "max": _signed("max"),
    "abs": _absolute,
    "neg": _absolute,
}
"""Decoders of integer arithmetic by the base of the opcode."""
