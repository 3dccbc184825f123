"""How often a warp waits in a function: for chains of dependent instructions, and at barriers after loads."""

from grader.engines.emulator.decode.dataflow import read_registers, written_registers
from grader.engines.emulator.ptx.syntax import Function, Instruction

_ENDS = {"bra", "brx", "ret", "exit", "trap"}
_BARRIERS = {"bar", "barrier"}
_NEAR = {"param", "shared", "const", "local"}
"""Spaces that answer a load soon."""

Share = tuple[float, float]


def waits(function: Function) -> list[tuple[float, float, int]]:
    """For each instruction, its ``chain_shares``, and whether it is one of the ``barriers_after_loads``."""
    barriers = barriers_after_loads(function)
    return [(*share, index in barriers) for index, share in enumerate(chain_shares(function))]


def barriers_after_loads(function: Function) -> set[int]:
    """The barriers that a warp may reach after a load of global memory without another barrier between the two.

    What the load brings is wanted behind the barrier, so the warp waits for it once per barrier, in whatever order the
    compiler puts loads and instructions of the same step.
    """
    found: set[int] = set()
    seen: set[int] = set()
    pending = [index + 1 for index, ins in enumerate(function.body) if _is_load(ins)]
    while pending:
        index = pending.pop()
        if index in seen or index >= len(function.body):
            continue
        seen.add(index)
        if function.body[index].opcode[0] in _BARRIERS:
            found.add(index)
        else:
            pending += _next(function, index)
    return found


def _next(function: Function, index: int) -> list[int]:
    """Where a warp may go on after an instruction."""
    ins = function.body[index]
    targets = {
        "bra": ins.operands[:1],
        "brx": function.tables.get(ins.operands[-1], ()) if ins.operands else (),
    }
    jumps = [function.labels[label] for label in targets.get(ins.opcode[0], ()) if label in function.labels]
    return jumps if ins.opcode[0] in _ENDS and not ins.guard else [*jumps, index + 1]


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
