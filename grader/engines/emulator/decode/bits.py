"""Decode logic, shifts, bit counts and bit fields."""

from grader.engines.emulator.decode.arithmetic import Handler, only, simple, type_of
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

_B32 = TYPES["b32"]


def _same_type(name: str, operands: int) -> Handler:
    """An operation on bits only, such as ``xor``."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        only(ins)
        type_ = type_of(ins)
        simple(asm, ins, f"{name}.{type_.integer.token}", type_, *[type_] * operands)

    return decode


def _logic(name: str, operands: int) -> Handler:
    """``and.b32`` and ``and.pred``."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        only(ins)
        type_ = type_of(ins)
        simple(asm, ins, f"{name}.{type_.token}", type_, *[type_] * operands)

    return decode


def _shift(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    name = "shl" if ins.opcode[0] == "shl" else ("sar" if type_.is_signed else "shr")
    simple(asm, ins, f"{name}.{type_.integer.token}", type_, type_, _B32)


def _count_bits(name: str) -> Handler:
    def decode(asm: Assembler, ins: Instruction) -> None:
        only(ins)
        type_ = type_of(ins)
        simple(asm, ins, f"{name}.{type_.integer.token}", _B32, type_)

    return decode


def _find_leading_bit(asm: Assembler, ins: Instruction) -> None:
    """``bfind``: the highest bit that is 1 (for signed: that differs from the sign), or -1."""
    only(ins, "shiftamt")
    type_ = type_of(ins)
    token = type_.integer.token
    value = asm.source(ins.operands[1], type_)
    if type_.is_signed:
        signs, flipped = asm.temporary(type_.integer), asm.temporary(type_.integer)
        asm.emit(f"sar.{token}", signs, value, asm.constants.number(type_.bits - 1, 4))
        asm.emit(f"xor.{token}", flipped, value, signs)
        value = flipped
    zeros = asm.temporary(Cell.I32)
    asm.emit(f"clz.{token}", zeros, value)
    target = asm.destination(ins.operands[0], _B32)
    nothing = asm.temporary(Cell.P)
    asm.emit("set.eq.i32", nothing, zeros, asm.constants.number(type_.bits, 4))
    if "shiftamt" not in ins.opcode:
        asm.emit("sub.i32", zeros, asm.constants.number(type_.bits - 1, 4), zeros)
    asm.emit("selp.i32", target, asm.constants.number(-1, 4), zeros, nothing)
    asm.settle(ins.operands[0], _B32, target)


def _extract_field(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    simple(asm, ins, f"{'s' if type_.is_signed else 'u'}bfe.{type_.integer.token}", type_, type_, _B32, _B32)


def _insert_field(asm: Assembler, ins: Instruction) -> None:
    """``bfi f, a, b, pos, len``: insert the low bits of a into b."""
    only(ins)
    type_ = type_of(ins)
    token = type_.integer.token
    a, b = (asm.source(text, type_) for text in ins.operands[1:3])
    position, length = (asm.source(text, _B32) for text in ins.operands[3:])
    field, shifted = asm.temporary(type_.integer), asm.temporary(type_.integer)
    asm.emit(f"fieldmask.{token}", field, position, length)
    asm.emit(f"shlbyte.{token}", shifted, a, position)
    target = asm.destination(ins.operands[0], type_)
    asm.emit(f"merge.{token}", target, shifted, b, field)
    asm.settle(ins.operands[0], type_, target)


def _limited(asm: Assembler, ins: Instruction, text: str) -> int:
    """A position or length: ``.wrap`` keeps its low five bits, ``.clamp`` stops at 32."""
    row = asm.temporary(Cell.I32)
    if "wrap" in ins.opcode:
        asm.emit("and.i32", row, asm.source(text, _B32), asm.constants.number(31, 4))
    else:
        asm.emit("umin.i32", row, asm.source(text, _B32), asm.constants.number(32, 4))
    return row


def _field_mask(asm: Assembler, ins: Instruction) -> None:
    """``bmsk``: ``length`` ones from a position upwards."""
    only(ins, "clamp", "wrap")
    start, length = (_limited(asm, ins, text) for text in ins.operands[1:])
    ones = asm.constants.number(-1, 4)
    asm.emit("add.i32", length, length, start)
    asm.emit("shl.i32", length, ones, length)
    asm.emit("shl.i32", start, ones, start)
    target = asm.destination(ins.operands[0], _B32)
    asm.emit("xor.i32", target, start, length)
    asm.settle(ins.operands[0], _B32, target)


def _extend(asm: Assembler, ins: Instruction) -> None:
    """``szext``: the low bits, sign- or zero-extended."""
    only(ins, "clamp", "wrap")
    type_ = type_of(ins)
    value, length = asm.source(ins.operands[1], type_), _limited(asm, ins, ins.operands[2])
    target = asm.destination(ins.operands[0], type_)
    name = "sbfe.i32" if type_.is_signed else "ubfe.i32"
    asm.emit(name, target, value, asm.constants.number(0, 4), length)
    asm.settle(ins.operands[0], type_, target)


BITS: dict[str, Handler] = {
    "and": _logic("and", 2),
    "or": _logic("or", 2),
    "xor": _logic("xor", 2),
    "not": _logic("not", 1),
    "cnot": _same_type("cnot", 1),
    "shl": _shift,
    "shr": _shift,
    "popc": _count_bits("popc"),
    "clz": _count_bits("clz"),
    "brev": _same_type("brev", 1),
    "bfind": _find_leading_bit,
    "bfe": _extract_field,
    "bfi": _insert_field,
    "bmsk": _field_mask,
    "szext": _extend,
}
"""Decoders by the base of the opcode."""
