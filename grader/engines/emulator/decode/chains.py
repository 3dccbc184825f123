"""How far the instructions of a function wait for each other, by the chains of dependent ones in straight-line code."""

from grader.engines.emulator.decode.dataflow import read_registers, written_registers
from grader.engines.emulator.ptx.syntax import Function, Instruction

_ENDS = {"bra", "brx", "ret", "exit", "trap"}
_NEAR = {"param", "shared", "const", "local"}
"""Spaces that answer a load soon."""

Share = tuple[float, float]


def chain_shares(function: Function) -> list[Share]:
    """For each instruction, its part of the chains of its straight-line code: of all instructions, and of loads.

    The longest chain of a piece of code, over its number of instructions. The sums over the executed instructions are
    how often a processor waits that issues at once whatever waits for nothing: for an instruction, and for memory.
    """
    shares: list[Share] = []
    starts = set(function.labels.values())
    piece: list[Instruction] = []
    for index, ins in enumerate(function.body):
        if index in starts:
            shares += _shared(piece)
            piece = []
        piece.append(ins)
        if ins.opcode[0] in _ENDS:
            shares += _shared(piece)
            piece = []
    return shares + _shared(piece)


def _shared(piece: list[Instruction]) -> list[Share]:
    if not piece:
        return []
    depths: dict[str, tuple[int, int]] = {}
    longest = (0, 0)
    for ins in piece:
        before = [depths[name] for name in _needed(ins) if name in depths]
        depth = (
            1 + max((chain for chain, _ in before), default=0),
            _is_load(ins) + max((loads for _, loads in before), default=0),
        )
        depths |= dict.fromkeys(written_registers(ins), depth)
        longest = max(longest[0], depth[0]), max(longest[1], depth[1])
    return [(longest[0] / len(piece), longest[1] / len(piece))] * len(piece)


def _needed(ins: Instruction) -> list[str]:
    return [*read_registers(ins), *([ins.guard] if ins.guard else [])]


def _is_load(ins: Instruction) -> bool:
    return ins.opcode[0] in {"ld", "ldu", "tex"} and _NEAR.isdisjoint(ins.opcode)
