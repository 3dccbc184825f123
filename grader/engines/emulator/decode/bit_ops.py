"""Decode operations on parts of 32-bit words: ``lop3``, ``prmt``, ``shf``, ``dp4a``, ``fns``, ``vabsdiff4``."""

from grader.engines.emulator.decode.arithmetic import Handler, only, simple
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

_B32, _PRED = TYPES["b32"], TYPES["pred"]
_SELECTORS = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}
"""The equivalent selector of ``prmt`` without a mode, by mode and the low two bits of the third operand."""


def _lookup(asm: Assembler, ins: Instruction) -> None:
    """``lop3.b32 d, a, b, c, table``, and ``lop3.and.b32 d|p, a, b, c, table, q``: p = (d != 0) and q."""
    only(ins, "and", "or")
    rows = [asm.source(text, _B32) for text in ins.operands[1:4]]
    result, _, predicate = (text.strip() for text in ins.operands[0].partition("|"))
    target = asm.destination(result, _B32)
    value = asm.temporary(Cell.I32) if predicate else target
    asm.emit("lop3.i32", value, *rows, imm=int(ins.operands[4], 0) & 0xFF)
    if predicate:
        into = asm.destination(predicate, _PRED)
        given = asm.predicate(ins.operands[5])
        holds = asm.temporary(Cell.P)
        asm.emit("set.ne.i32", holds, value, asm.constants.number(0, 4))
        asm.emit(f"{ins.opcode[1]}.p", into, holds, given)
        asm.emit("mov.i32", target, value)
    asm.settle(result, _B32, target)


def _permute(asm: Assembler, ins: Instruction) -> None:
    if len(ins.opcode) == 2:
        simple(asm, ins, "prmt.i32", _B32, _B32, _B32, _B32)
        return
    if ins.opcode[-1] not in _SELECTORS:
        raise UnsupportedError(ins.text)
    table = sum(selector << 16 * index for index, selector in enumerate(_SELECTORS[ins.opcode[-1]]))
    a, b, choice = (asm.source(text, _B32) for text in ins.operands[1:])
    amount, selectors = asm.temporary(Cell.I32), asm.temporary(Cell.I64)
    asm.emit("and.i32", amount, choice, asm.constants.number(3, 4))
    asm.emit("shl.i32", amount, amount, asm.constants.number(4, 4))
    asm.emit("shr.i64", selectors, asm.constants.number(table, 8), amount)
    asm.emit("trunc.i32.i64", amount, selectors)
    target = asm.destination(ins.operands[0], _B32)
    asm.emit("prmt.i32", target, a, b, amount)
    asm.settle(ins.operands[0], _B32, target)


def _funnel(asm: Assembler, ins: Instruction) -> None:
    only(ins, "l", "r", "clamp", "wrap")
    simple(asm, ins, f"shf.{ins.opcode[1]}.{ins.opcode[2]}", _B32, _B32, _B32, _B32)


def _dot_product(asm: Assembler, ins: Instruction) -> None:
    """``dp4a.s32.u32`` and ``dp2a.lo.s32.u32``: the second factors of ``dp2a`` are the low or high two bytes."""
    name, signed = ins.opcode[0], [part == "s32" for part in ins.opcode[-2:]]
    half = ins.opcode[1:-2]
    if half not in ({"dp4a": ((),), "dp2a": (("lo",), ("hi",))}[name]) or not set(ins.opcode[-2:]) <= {
        "s32",
        "u32",
    }:
        raise UnsupportedError(ins.text)
    a, b, c = (asm.source(text, _B32) for text in ins.operands[1:])
    if half == ("hi",):
        upper = asm.temporary(Cell.I32)
        asm.emit("shr.i32", upper, b, asm.constants.number(16, 4))
        b = upper
    sign_a = (0x80 if name == "dp4a" else 0x8000) * signed[0]
    target = asm.destination(ins.operands[0], _B32)
    asm.emit(f"{name}.i32", target, a, b, c, imm=sign_a | (0x80 * signed[1]) << 32)
    asm.settle(ins.operands[0], _B32, target)


def _find_nth_set(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    simple(asm, ins, "fns.i32", _B32, _B32, _B32, _B32)


def _absolute_differences(asm: Assembler, ins: Instruction) -> None:
    """``vabsdiff2`` and ``vabsdiff4`` of all lanes; with ``.add``, their sum plus the third operand.

    Differences are computed in 32 bits and cut to the lane's width. Lane masks and ``.sat`` are not supported.
    """
    types, accumulate = ins.opcode[1:4], ins.opcode[4:] == ("add",)
    if len(set(types)) != 1 or types[0] not in {"s32", "u32"} or ins.opcode[4:] not in {(), ("add",)}:
        raise UnsupportedError(ins.text)
    count = int(ins.opcode[0][-1])
    bits, letter = 32 // count, types[0][0]
    width = asm.constants.number(bits, 4)
    a, b, c = (asm.source(text, _B32) for text in ins.operands[1:])
    total, lane, other = (asm.temporary(Cell.I32) for _ in range(3))
    asm.emit("mov.i32", total, c if accumulate else asm.constants.number(0, 4))
    for index in range(count):
        position = asm.constants.number(index * bits, 4)
        low, high = asm.temporary(Cell.I32), asm.temporary(Cell.I32)
        asm.emit(f"{letter}bfe.i32", lane, a, position, width)
        asm.emit(f"{letter}bfe.i32", other, b, position, width)
        asm.emit("smin.i32", low, lane, other)
        asm.emit("smax.i32", high, lane, other)
        asm.emit("sub.i32", lane, high, low)
        if not accumulate:
            asm.emit("shl.i32", lane, lane, position)
        asm.emit("add.i32" if accumulate else "or.i32", total, total, lane)
    target = asm.destination(ins.operands[0], _B32)
    asm.emit("mov.i32", target, total)
    asm.settle(ins.operands[0], _B32, target)


BIT_OPS: dict[str, Handler] = {
    "lop3": _lookup,
    "prmt": _permute,
    "shf": _funnel,
    "dp4a": _dot_product,
    "dp2a": _dot_product,
    "fns": _find_nth_set,
    "vabsdiff2": _absolute_differences,
    "vabsdiff4": _absolute_differences,
}
"""Decoders by the base of the opcode."""
