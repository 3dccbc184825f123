"""Where the values of loads and stores come from and go to: what the race detection needs to know of a function.

Values are followed from register to register, not through memory or calls. ``codes.Flag`` has the meaning of the flags.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from grader.engines.emulator.core.codes import Flag
from grader.engines.emulator.ptx.syntax import Function, Instruction

_REGISTER = re.compile(r"%[A-Za-z_$][\w$]*")
_BARRIERS = {"bar", "barrier"}
_NO_RESULT = {"st", "red", "bra", "brx", "call", "ret", "exit", "bar", "membar", "fence", "trap"}

_MOST_STEPS = 64
"""Instructions to which one value is followed."""


def access_flags(function: Function) -> dict[int, int]:
    """``Flag`` bits of the loads, stores and atomics of ``function``, by index in its body."""
    flow = _Dataflow(function)
    flags: dict[int, int] = defaultdict(int)
    for index, ins in enumerate(function.body):
        match ins.opcode[:2]:
            case ("st", *_):
                flags[index] |= flow.updates(index)
            case ("ld", "volatile"):
                flags[index] |= flow.decisions(index)
            case ("atom", *_):
                flags[index] |= flow.unread(index)
                for load in flow.guesses(index):
                    flags[load] |= Flag.GUESSES
    return flags


class _Dataflow:
    """The readers and writers of the registers of a function. Most functions need only the writers."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._body = function.body

    @cached_property
    def _writers(self) -> dict[str, list[int]]:
        return _by_register(self._body, written_registers)

    @cached_property
    def _readers(self) -> dict[str, list[int]]:
        return _by_register(self._body, read_registers)

    @cached_property
    def _barriers(self) -> list[int]:
        return [index for index, ins in enumerate(self._body) if ins.opcode[0] in _BARRIERS]

    @cached_property
    def _loops(self) -> list[tuple[int, int]]:
        """First and last instruction of every loop: what a branch backwards encloses."""
        branches = [(index, ins) for index, ins in enumerate(self._body) if ins.opcode[0] == "bra"]
        targets = [(self._function.labels.get(ins.operands[0]), index) for index, ins in branches]
        return [(target, index) for target, index in targets if target is not None and target <= index]

    def updates(self, store: int) -> int:
        """``UPDATES`` if a store's value depends on a load from its address, with no barrier between the two."""
        address, value = self._body[store].operands[:2]
        for load in self._loads_before(store, value):
            apart = any(load < barrier < store for barrier in self._barriers)
            if self._body[load].operands[1] == address and not apart:
                return Flag.UPDATES
        return 0

    def guesses(self, atomic: int) -> list[int]:
        """The loads from its address with the result of which a compare-and-swap compares."""
        if "cas" not in self._body[atomic].opcode:
            return []
        _, address, compared = self._body[atomic].operands[:3]
        return [
            load for load in self._loads_before(atomic, compared) if self._body[load].operands[1] == address
        ]

    def unread(self, atomic: int) -> int:
        """``UNREAD`` if nothing uses the old value."""
        return (
            0 if any(name in self._readers for name in written_registers(self._body[atomic])) else Flag.UNREAD
        )

    def decisions(self, load: int) -> int:
        """``DECIDES`` and ``POLLS`` for a volatile load."""
        around = [(first, last) for first, last in self._loops if first <= load <= last]
        flags = 0
        pending, seen = list(written_registers(self._body[load])), set[int]()
        while pending and len(seen) < _MOST_STEPS:
            for index in self._readers.get(pending.pop(), ()):
                if index in seen:
                    continue
                seen.add(index)
                ins = self._body[index]
                if ins.opcode[0] != "bra":
                    pending += written_registers(ins)
                    continue
                flags |= Flag.DECIDES
                target = self._function.labels.get(ins.operands[0], index)
                if any(
                    first <= index <= last and (index == last or not first < target <= last)
                    for first, last in around
                ):
                    flags |= Flag.POLLS
        return flags

    def _loads_before(self, end: int, operand: str) -> Iterator[int]:
        """The loads before instruction ``end`` on which an operand depends, nearest first."""
        pending, seen = _REGISTER.findall(operand), set[int]()
        while pending and len(seen) < _MOST_STEPS:
            for index in self._writers.get(pending.pop(), ()):
                if index in seen or index > end:
                    continue
                seen.add(index)
                if self._body[index].opcode[0] == "ld":
                    yield index
                else:
                    pending += read_registers(self._body[index])


def _by_register(
    body: list[Instruction], names: Callable[[Instruction], Iterable[str]]
) -> dict[str, list[int]]:
    """The instructions that read or write each register."""
    found: dict[str, list[int]] = defaultdict(list)
    for index, ins in enumerate(body):
        for name in names(ins):
            found[name].append(index)
    return found


def written_registers(ins: Instruction) -> list[str]:
    """Registers of the result."""
    has_result = ins.operands and ins.opcode[0] not in _NO_RESULT
    return _REGISTER.findall(ins.operands[0]) if has_result else []


def read_registers(ins: Instruction) -> list[str]:
    """Registers of the operands, and the guard of a branch."""
    operands = ins.operands if ins.opcode[0] in _NO_RESULT else ins.operands[1:]
    guard = [ins.guard] if ins.guard and ins.opcode[0] == "bra" else []
    return [*(name for text in operands for name in _REGISTER.findall(text)), *guard]
