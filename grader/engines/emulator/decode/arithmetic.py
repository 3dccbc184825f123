"""Integer and bitwise instructions."""

from collections.abc import Callable

from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

Handler = Callable[[Assembler, Instruction], None]

_B32 = TYPES["b32"]
_CARRY = "carry@"
_WIDER = {16: 32, 32: 64}


def type_of(ins: Instruction) -> PtxType:
    """The type an opcode ends with. Raises: ``UnsupportedError``."""
    type_ = TYPES.get(ins.opcode[-1])
    if type_ is None:
        raise UnsupportedError(ins.text)
    return type_


def only(ins: Instruction, *allowed: str) -> None:
    """Refuse modifiers (between the base and the type) other than ``allowed``."""
    if not set(ins.opcode[1:-1]) <= set(allowed):
        raise UnsupportedError(ins.text)


def simple(asm: Assembler, ins: Instruction, op: str, type_: PtxType, *sources: PtxType) -> None:
    """Emit ``op`` with the destination of ``type_`` and one source of each of ``sources``."""
    rows = [asm.source(text, source) for text, source in zip(ins.operands[1:], sources, strict=True)]
    target = asm.destination(ins.operands[0], type_)
    asm.emit(op, target, *rows)
    asm.settle(ins.operands[0], type_, target)


def _same_type(name: str, operands: int) -> Handler:
    """An operation that looks at bits only: ``add``, ``xor``."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        only(ins)
        type_ = type_of(ins)
        simple(asm, ins, f"{name}.{type_.integer.token}", type_, *[type_] * operands)

    return decode


def _signed(name: str) -> Handler:
    """An operation that has a signed and an unsigned form: ``div``, ``min``."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        only(ins)
        type_ = type_of(ins)
        letter = "s" if type_.is_signed else "u"
        simple(asm, ins, f"{letter}{name}.{type_.integer.token}", type_, type_, type_)

    return decode


def logic(name: str, operands: int) -> Handler:
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
    only(ins, "lo", "hi", "wide")
    type_ = type_of(ins)
    letter = "s" if type_.is_signed else "u"
    if "wide" in ins.opcode:
        wide = TYPES[f"{type_.kind}{_WIDER[type_.bits]}"]
        simple(asm, ins, f"{letter}madwide.{type_.integer.token}", wide, type_, type_, wide)
    elif "hi" in ins.opcode:
        high = _product(asm, ins, type_, high=True)
        target = asm.destination(ins.operands[0], type_)
        asm.emit(f"add.{type_.integer.token}", target, high, asm.source(ins.operands[3], type_))
        asm.settle(ins.operands[0], type_, target)
    else:
        simple(asm, ins, f"mad.{type_.integer.token}", type_, type_, type_, type_)


def _product(asm: Assembler, ins: Instruction, type_: PtxType, *, high: bool) -> int:
    token = type_.integer.token
    row = asm.temporary(type_.integer)
    name = f"{'s' if type_.is_signed else 'u'}mulhi.{token}" if high else f"mul.{token}"
    asm.emit(name, row, asm.source(ins.operands[1], type_), asm.source(ins.operands[2], type_))
    return row


def _product_24(asm: Assembler, ins: Instruction) -> None:
    """``mul24.lo`` and ``mad24.lo``: the low 32 bits of the product of the operands' low 24."""
    only(ins, "lo")
    type_ = type_of(ins)
    eight = asm.constants.number(8, 4)
    factors = []
    for text in ins.operands[1:3]:
        factor = asm.temporary(Cell.I32)
        asm.emit("shl.i32", factor, asm.source(text, type_), eight)
        asm.emit("sar.i32" if type_.is_signed else "shr.i32", factor, factor, eight)
        factors.append(factor)
    target = asm.destination(ins.operands[0], type_)
    if ins.opcode[0] == "mul24":
        asm.emit("mul.i32", target, *factors)
    else:
        asm.emit("mad.i32", target, *factors, asm.source(ins.operands[3], type_))
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
    """Integer ``add``/``sub``, with ``.cc`` (sets the carry) and ``.sat``."""
    type_ = type_of(ins)
    if "cc" in ins.opcode:
        _carrying(asm, ins)
        return
    only(ins, "sat")
    if "sat" not in ins.opcode:
        simple(asm, ins, f"{ins.opcode[0]}.{type_.integer.token}", type_, type_, type_)
        return
    if type_.name != "s32":
        raise UnsupportedError(ins.text)
    wide, rows = TYPES["s64"], []
    for text in ins.operands[1:]:
        row = asm.temporary(Cell.I64)
        asm.emit("sext.i64.i32", row, asm.source(text, type_))
        rows.append(row)
    result = asm.temporary(wide.integer)
    asm.emit(f"{ins.opcode[0]}.i64", result, *rows)
    asm.emit("smin.i64", result, result, asm.constants.number(2**31 - 1, 8))
    asm.emit("smax.i64", result, result, asm.constants.number(-(2**31), 8))
    target = asm.destination(ins.operands[0], type_)
    asm.emit("trunc.i32.i64", target, result)
    asm.settle(ins.operands[0], type_, target)


def _carrying(asm: Assembler, ins: Instruction) -> None:
    """Extended precision: ``add.cc``, ``addc``, ``sub.cc``, ``subc``, ``mad.cc``, ``madc``.

    The carry is a predicate of the function. A borrow is kept as a carry, too.
    """
    only(ins, "cc", "lo", "hi")
    base, type_ = ins.opcode[0], type_of(ins)
    token = type_.integer.token
    if base.startswith("mad"):
        a = _product(asm, ins, type_, high="hi" in ins.opcode)
        b = asm.source(ins.operands[3], type_)
    else:
        a, b = (asm.source(text, type_) for text in ins.operands[1:])
    asm.function.registers.setdefault(_CARRY, "pred")
    carry = asm.predicate_row(_CARRY)
    first, second = asm.temporary(Cell.P), asm.temporary(Cell.P)
    result = asm.temporary(type_.integer)
    operation = "sub" if base.startswith("sub") else "add"
    with_carry = base in {"addc", "subc", "madc"}
    asm.emit(f"{operation}.{token}", result, a, b)
    asm.emit(f"set.ult.{token}", first, *((a, b) if operation == "sub" else (result, a)))
    if with_carry:
        one = asm.temporary(type_.integer)
        asm.emit(
            f"selp.{token}",
            one,
            asm.constants.number(1, type_.bytes),
            asm.constants.number(0, type_.bytes),
            carry,
        )
        if operation == "sub":
            asm.emit(f"set.ult.{token}", second, result, one)
            asm.emit(f"sub.{token}", result, result, one)
        else:
            asm.emit(f"add.{token}", result, result, one)
            asm.emit(f"set.ult.{token}", second, result, one)
        asm.emit("or.p", first, first, second)
    if "cc" in ins.opcode:
        asm.emit("mov.p", carry, first)
    target = asm.destination(ins.operands[0], type_)
    asm.emit(f"mov.{token}", target, result)
    asm.settle(ins.operands[0], type_, target)


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
    """``bfi f, a, b, pos, len``: the low bits of a into b."""
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


def _lookup(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    rows = [asm.source(text, _B32) for text in ins.operands[1:4]]
    target = asm.destination(ins.operands[0], _B32)
    asm.emit("lop3.i32", target, *rows, imm=int(ins.operands[4], 0) & 0xFF)
    asm.settle(ins.operands[0], _B32, target)


def _permute(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    simple(asm, ins, "prmt.i32", _B32, _B32, _B32, _B32)


def _funnel(asm: Assembler, ins: Instruction) -> None:
    only(ins, "l", "r", "clamp", "wrap")
    simple(asm, ins, f"shf.{ins.opcode[1]}.{ins.opcode[2]}", _B32, _B32, _B32, _B32)


def _absolute(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    simple(asm, ins, f"{ins.opcode[0]}.{type_.integer.token}", type_, type_)


INTEGER: dict[str, Handler] = {
    "add": _add_or_subtract,
    "sub": _add_or_subtract,
    "addc": _carrying,
    "subc": _carrying,
    "madc": _carrying,
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
    "and": logic("and", 2),
    "or": logic("or", 2),
    "xor": logic("xor", 2),
    "not": logic("not", 1),
    "cnot": _same_type("cnot", 1),
    "shl": _shift,
    "shr": _shift,
    "popc": _count_bits("popc"),
    "clz": _count_bits("clz"),
    "brev": _same_type("brev", 1),
    "bfind": _find_leading_bit,
    "bfe": _extract_field,
    "bfi": _insert_field,
    "lop3": _lookup,
    "prmt": _permute,
    "shf": _funnel,
}
"""Decoders of integer instructions by their base. ``mad.cc`` is among those of ``mad``."""
