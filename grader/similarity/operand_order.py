"""One order for the operands of commutative instructions: ``a + b`` and ``b + a`` are the same."""

from collections.abc import Iterator
from dataclasses import replace

from grader.engines.emulator.ptx.syntax import Function, Instruction

_COMMUTATIVE = frozenset({"add", "mul", "mad", "fma", "and", "or", "xor", "min", "max"})
"""Opcodes of instructions of which the first two sources may be exchanged."""

_SOURCES = slice(1, 3)


def with_ordered_operands(function: Function) -> Iterator[Instruction]:
    """The instructions of ``function``, with commutative operands ordered by how they are computed.

    Of a register count the instruction that set it last in the text and those that set its operands: a difference
    further back changes nothing here. Operands that are computed alike keep their order.
    """
    opcodes: dict[str, str] = {}
    shapes: dict[str, str] = {}
    for each in function.body:
        instruction = each
        if each.opcode[0] in _COMMUTATIVE:
            ordered = sorted(each.operands[_SOURCES], key=lambda operand: shapes.get(operand, operand[:1]))
            instruction = replace(each, operands=(*each.operands[:1], *ordered, *each.operands[3:]))
        yield instruction
        if instruction.operands:
            result = instruction.operands[0]
            sources = (opcodes.get(operand, operand[:1]) for operand in instruction.operands[1:])
            shapes[result] = f"{_with_special_register(instruction)}({','.join(sources)})"
            opcodes[result] = _with_special_register(instruction)


def _with_special_register(instruction: Instruction) -> str:
    """The opcode, and what it reads if that is a register of the hardware, such as ``%tid.x``."""
    read = [operand for operand in instruction.operands[1:2] if operand.startswith("%") and "." in operand]
    return " ".join((instruction.text, *read))
