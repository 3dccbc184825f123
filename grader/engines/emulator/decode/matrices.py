"""Decode ``ldmatrix``: 8×8 matrices of 16-bit elements in shared memory. Source: PTX ISA, "ldmatrix"."""

from grader.engines.emulator.core.codes import Op, Space
from grader.engines.emulator.core.collectives import Shuffle
from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler, split_address, vector_elements
from grader.engines.emulator.decode.memory import load_at
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.isa.cells import WARP, Cell
from grader.engines.emulator.ptx.syntax import Instruction

_WORD = TYPES["b32"]
_MATRICES = {"x1": 1, "x2": 2, "x4": 4}
_EVERY_LANE = -1
_WHOLE_WARP = 31
_PLAIN = {"sync", "aligned", "m8n8", "shared", "shared::cta", "b16", "trans"}


def _ldmatrix(asm: Assembler, ins: Instruction) -> None:
    """Lane ``8m + r`` has the address of row ``r`` of matrix ``m``; lane ``t`` gets elements ``2(t % 4)`` and the next.

    Both elements are in row ``t / 4``, or in column ``t / 4`` if the matrix is transposed.
    """
    counts = [part for part in ins.opcode[1:] if part in _MATRICES]
    targets = vector_elements(ins.operands[0])
    if len(counts) != 1 or set(ins.opcode[1:]) - _PLAIN - set(counts) or len(targets) != _MATRICES[counts[0]]:
        raise UnsupportedError(ins.text)
    base, offset = split_address(ins.operands[1])
    own = asm.temporary(Cell.I32)
    asm.emit("add.i32", own, asm.source(base, _WORD), asm.constants.number(offset, 4))
    loaded = []
    for matrix in range(len(targets)):
        if "trans" in ins.opcode:
            rows = [[8 * matrix + 2 * (lane % 4) + half for lane in range(WARP)] for half in range(2)]
            column = [2 * (lane // 4) for lane in range(WARP)]
            low, high = (
                load_at(asm, _row(asm, own, lanes, column), Space.SHARED, TYPES["u16"], 32) for lanes in rows
            )
            loaded.append(pair(asm, low, high))
        else:
            lanes = [8 * matrix + lane // 4 for lane in range(WARP)]
            column = [4 * (lane % 4) for lane in range(WARP)]
            loaded.append(load_at(asm, _row(asm, own, lanes, column), Space.SHARED, _WORD, 32))
    for text, row in zip(targets, loaded, strict=True):
        into = asm.destination(text, _WORD)
        asm.emit("mov.i32", into, row)
        asm.settle(text, _WORD, into)


def _row(asm: Assembler, own: int, lanes: list[int], column: list[int]) -> int:
    """Addresses of all lanes: lane ``i`` takes ``own`` of lane ``lanes[i]`` plus ``column[i]`` bytes."""
    address = asm.temporary(Cell.I32)
    constants = asm.constants
    asm.emit_fields(
        {
            "op": int(Op.SHUFFLE),
            "d": address,
            "a": own,
            "b": constants.lanes(lanes),
            "c": constants.number(_WHOLE_WARP, 4),
            "target": constants.number(_EVERY_LANE, 4),
            "imm": -1,
            "function": int(Shuffle.INDEX),
        }
    )
    asm.emit("add.i32", address, address, constants.lanes(column))
    return address


def pair(asm: Assembler, low: int, high: int) -> int:
    """Combine two 16-bit rows in a temporary 32-bit row."""
    packed, upper = asm.temporary(Cell.I32), asm.temporary(Cell.I32)
    asm.emit("zext.i32.i16", packed, low)
    asm.emit("zext.i32.i16", upper, high)
    asm.emit("shl.i32", upper, upper, asm.constants.number(16, 4))
    asm.emit("or.i32", packed, packed, upper)
    return packed


MATRICES: dict[str, Handler] = {"ldmatrix": _ldmatrix}
"""Decoders by the base of the opcode."""
