"""Where the values of loads and stores come from and go to: what the race detection needs to know of a function.

A store *updates* if its value was computed from what a load read at the same address since the last barrier. A volatile
load *decides* a branch, and it *polls* if that branch may leave or repeat a loop around the load. An atomic is *unread*
if nothing uses its old value. Values are followed from register to register, not through memory or calls.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable

from grader.engines.emulator.core.codes import Flag
from grader.engines.emulator.ptx.syntax import Function, Instruction

_REGISTER = re.compile(r"%[A-Za-z_$][\w$]*")
_BARRIERS = {"bar", "barrier"}
_NO_RESULT = {"st", "red", "bra", "brx", "call", "ret", "exit", "bar", "membar", "fence", "trap"}

_MOST_STEPS = 64
"""Instructions to which one value is followed."""


def access_flags(function: Function) -> dict[int, int]:
    """``Flag`` bits of the loads and stores of ``function``, by index in its body."""
    body = function.body
    flags: dict[int, int] = defaultdict(int)
    if any(ins.opcode[0] == "st" for ins in body):
        writers = _by_register(body, _written)
        barriers = [index for index, ins in enumerate(body) if ins.opcode[0] in _BARRIERS]
        for index, ins in enumerate(body):
            if ins.opcode[0] == "st" and _updates(body, index, writers, barriers):
                flags[index] |= Flag.UPDATES
    polled = [index for index, ins in enumerate(body) if ins.opcode[:2] == ("ld", "volatile")]
    atomics = [index for index, ins in enumerate(body) if ins.opcode[0] == "atom"]
    if polled or atomics:
        readers, loops = _by_register(body, _read), _loops(function)
        for index in polled:
            flags[index] |= _decisions(function, index, readers, loops)
        for index in atomics:
            if not any(name in readers for name in _written(body[index])):
                flags[index] |= Flag.UNREAD
    return flags


def _by_register(
    body: list[Instruction], names: Callable[[Instruction], Iterable[str]]
) -> dict[str, list[int]]:
    """The instructions that read or write each register."""
    found: dict[str, list[int]] = defaultdict(list)
    for index, ins in enumerate(body):
        for name in names(ins):
            found[name].append(index)
    return found


def _written(ins: Instruction) -> list[str]:
    has_result = ins.operands and ins.opcode[0] not in _NO_RESULT
    return _REGISTER.findall(ins.operands[0]) if has_result else []


def _read(ins: Instruction) -> list[str]:
    """Registers of the operands, and the guard of a branch."""
    operands = ins.operands if ins.opcode[0] in _NO_RESULT else ins.operands[1:]
    guard = [ins.guard] if ins.guard and ins.opcode[0] == "bra" else []
    return [*(name for text in operands for name in _REGISTER.findall(text)), *guard]


def _updates(body: list[Instruction], store: int, writers: dict[str, list[int]], barriers: list[int]) -> bool:
    """Whether the value of a store depends on a load from its address, with no barrier between the two."""
    address = body[store].operands[0]
    pending, seen = _REGISTER.findall(body[store].operands[1]), set[int]()
    while pending and len(seen) < _MOST_STEPS:
        for index in writers.get(pending.pop(), ()):
            if index in seen or index > store:
                continue
            seen.add(index)
            ins = body[index]
            if ins.opcode[0] == "ld":
                if ins.operands[1] == address and not any(index < barrier < store for barrier in barriers):
                    return True
            else:
                pending += _read(ins)
    return False


def _loops(function: Function) -> list[tuple[int, int]]:
    """First and last instruction of every loop: what a branch backwards encloses."""
    loops = []
    for index, ins in enumerate(function.body):
        target = function.labels.get(ins.operands[0]) if ins.opcode[0] == "bra" else None
        if target is not None and target <= index:
            loops.append((target, index))
    return loops


def _decisions(
    function: Function, load: int, readers: dict[str, list[int]], loops: list[tuple[int, int]]
) -> int:
    """``DECIDES`` and ``POLLS`` for a volatile load."""
    around = [(first, last) for first, last in loops if first <= load <= last]
    flags = 0
    pending, seen = list(_written(function.body[load])), set[int]()
    while pending and len(seen) < _MOST_STEPS:
        for index in readers.get(pending.pop(), ()):
            if index in seen:
                continue
            seen.add(index)
            ins = function.body[index]
            if ins.opcode[0] != "bra":
                pending += _written(ins)
                continue
            flags |= Flag.DECIDES
            target = function.labels.get(ins.operands[0], index)
            if any(
                first <= index <= last and (index == last or not first < target <= last)
                for first, last in around
            ):
                flags |= Flag.POLLS
    return flags
