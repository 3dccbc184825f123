"""Decode extended precision: sums and products that set or use the carry."""

from grader.engines.emulator.decode.arithmetic import only, product, type_of
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

_CARRY = "carry@"


def decode_with_carry(asm: Assembler, ins: Instruction) -> None:
    """Decode ``add.cc``, ``addc``, ``sub.cc``, ``subc``, ``mad.cc``, ``madc``.

    The carry is a predicate of the function. A borrow is stored in it as a carry.
    """
    only(ins, "cc", "lo", "hi")
    base, type_ = ins.opcode[0], type_of(ins)
    token = type_.integer.token
    if base.startswith("mad"):
        a = product(asm, ins, type_, high="hi" in ins.opcode)
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
