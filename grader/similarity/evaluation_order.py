"""One order for the instructions of a function, whatever the order in which its source computes independent values.

Within a basic block the instructions with an effect (stores, atomics, barriers, calls) keep their order, and each value
is computed where an effect first needs it. Values for other blocks follow, in the order of their first use there; the
branch is last. The order serves to compare functions, not to run them: a load may move past a store.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.engines.emulator.ptx.syntax import Function, Instruction
from grader.similarity.operand_order import with_ordered_operands

REGISTER = re.compile(r"%[A-Za-z_]\w*(?![\w.])")

_EFFECTS = frozenset(
    {
        *(
            "st",
            "stmatrix",
            "red",
            "atom",
            "atomic",
            "call",
            "bar",
            "barrier",
            "membar",
            "fence",
            "trap",
            "exit",
        ),
        *(
            "ret",
            "bra",
            "brx",
            "cp",
            "mbarrier",
            "nanosleep",
            "prefetch",
            "shfl",
            "vote",
            "match",
            "activemask",
        ),
    }
)
"""Opcodes of instructions that do more than compute a value, or depend on what other threads do."""

_WITHOUT_RESULT = frozenset(
    {"st", "stmatrix", "red", "bra", "brx", "ret", "exit", "trap", "bar", "barrier", "membar", "fence", "cp"}
)
"""Opcodes of instructions with an operand first that they only read."""

_NEVER = 1 << 62
"""Behind every position."""

_BRANCHES = frozenset({"bra", "brx", "ret", "exit"})


@dataclass(frozen=True, slots=True)
class _Registers:
    written: tuple[str, ...]
    read: tuple[str, ...]


def in_evaluation_order(function: Function) -> list[Instruction]:
    """The instructions of ``function``, ordered within each basic block, and so are their operands."""
    body = list(with_ordered_operands(function))
    registers = [_registers(instruction) for instruction in body]
    uses: dict[str, list[int]] = {}
    for at, each in enumerate(registers):
        for name in each.read:
            uses.setdefault(name, []).append(at)
    return [body[at] for block in _blocks(function) for at in _ordered(body, registers, uses, block)]


def _registers(instruction: Instruction) -> _Registers:
    guard = () if instruction.guard is None else (instruction.guard,)
    first, rest = instruction.operands[:1], instruction.operands[1:]
    if instruction.opcode[0] in _WITHOUT_RESULT or not first:
        return _Registers((), (*guard, *_named(instruction.operands)))
    # A guarded instruction keeps the former value of its result where the guard does not hold.
    kept = tuple(_named(first)) if guard else ()
    return _Registers(tuple(_named(first)), (*guard, *_named(rest), *kept))


def _named(operands: Sequence[str]) -> Iterator[str]:
    return (name for operand in operands for name in REGISTER.findall(operand))


def _blocks(function: Function) -> Iterator[range]:
    """The basic blocks, in the order of the text."""
    after_branch = {at + 1 for at, each in enumerate(function.body) if each.opcode[0] in _BRANCHES}
    starts = sorted({0, *function.labels.values(), *after_branch, len(function.body)})
    return (range(start, end) for start, end in pairwise(starts))


def _ordered(
    body: Sequence[Instruction], registers: Sequence[_Registers], uses: dict[str, list[int]], block: range
) -> Iterator[int]:
    makers = _makers(registers, block)
    effects = [at for at in block if body[at].opcode[0] in _EFFECTS]
    branch = effects[-1:] if effects and effects[-1] == block[-1] else []
    others = sorted(
        (at for at in block if body[at].opcode[0] not in _EFFECTS),
        key=lambda at: (_first_use_elsewhere(registers[at].written, uses, block), at),
    )
    done: set[int] = set()
    for root in (*effects[: len(effects) - len(branch)], *others, *branch):
        yield from _computed(root, makers, done)


def _makers(registers: Sequence[_Registers], block: range) -> dict[int, tuple[int, ...]]:
    """For each instruction of the block those in it that compute what it reads, in the order of its operands."""
    last: dict[str, int] = {}
    makers = {}
    for at in block:
        makers[at] = tuple(last[name] for name in registers[at].read if name in last)
        for name in registers[at].written:
            last[name] = at
    return makers


def _first_use_elsewhere(written: tuple[str, ...], uses: dict[str, list[int]], block: range) -> int:
    """The position of the first use of a value outside its block; after all others if there is none."""
    return min((_first_outside(uses.get(name, ()), block) for name in written), default=_NEVER)


def _first_outside(uses: Sequence[int], block: range) -> int:
    """The least of the ascending ``uses`` that is not in ``block``."""
    if uses and uses[0] < block.start:
        return uses[0]
    after = bisect_left(uses, block.stop)
    return uses[after] if after < len(uses) else _NEVER


def _computed(root: int, makers: dict[int, tuple[int, ...]], done: set[int]) -> Iterator[int]:
    """``root`` after all that it needs and that is not ``done``; without recursion, since a chain may be long."""
    waiting = [(root, False)]
    while waiting:
        at, needs_are_done = waiting.pop()
        if at in done:
            continue
        if needs_are_done:
            done.add(at)
            yield at
        else:
            waiting.append((at, True))
            waiting += ((each, False) for each in makers[at])
