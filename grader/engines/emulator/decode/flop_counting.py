"""Count the arithmetic operations of a PTX instruction, for a kernel's arithmetic intensity."""

from grader.engines.emulator.decode.program import Unit
from grader.engines.emulator.ptx.syntax import Instruction

_OPERATIONS = {"fma": 2, "mad": 2} | dict.fromkeys(("add", "sub", "mul", "div", "rem", "min", "max"), 1)
_FUNCTIONS = dict.fromkeys(("rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"), 1)
_INTEGERS = {"s32", "u32"}
_PAIR = "f16x2"


def operations_of(instruction: Instruction, unit: Unit) -> tuple[Unit, int]:
    """The unit that ``instruction`` counts for, and its operations per thread; ``unit`` is the decoder's choice.

    Integers wider than 32 bits count as addresses. Matrix products are not counted: tensor cores have a separate
    roof.
    """
    base, type_ = instruction.opcode[0], instruction.opcode[-1]
    if unit is not Unit.OTHER:
        return unit, (_OPERATIONS | _FUNCTIONS).get(base, 0) * (2 if type_ == _PAIR else 1)
    counts = type_ in _INTEGERS and base in _OPERATIONS and not {"wide", "cc"} & set(instruction.opcode)
    return (Unit.INT32, _OPERATIONS[base]) if counts else (unit, 0)
