"""Follow values through the registers of a program: what a load becomes, and what a store is made of.

The result holds for every run, so it costs no time in the interpreter, which only counts the bytes of each access.
Registers are followed without regard to the order of instructions. Shared memory is one place, and so is local
memory, which also holds the arguments of calls. A value that only decides a branch is not followed.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.core.codes import Flow, Op, Space
from grader.engines.emulator.decode.program import READS_TEXELS, Program
from grader.engines.emulator.isa.table import MICRO_OPS

_SOURCES = {number: len(op.ins) for number, op in enumerate(MICRO_OPS.values())} | {
    int(Op.SHUFFLE): 3,
    int(Op.VOTE): 1,
    int(Op.MATCH): 1,
}
"""How many of the operands ``a``, ``b`` and ``c`` an operation on registers reads."""

_SECOND_RESULT = {int(Op.SHUFFLE), int(Op.MATCH)}
"""Operations that also write the predicate ``imm``, if it is not -1."""

_LOAD, _STORE, _ATOMIC, _SERVICE = int(Op.LOAD), int(Op.STORE), int(Op.ATOMIC), int(Op.SERVICE)
_GLOBAL = {int(Space.GLOBAL), int(Space.GENERIC)}
_SHARED = {int(Space.SHARED), int(Space.GENERIC)}
_LOCAL = {int(Space.LOCAL), int(Space.PARAM), int(Space.GENERIC)}
_FIELDS = ["op", "d", "a", "b", "c", "imm", "target", "count", "space"]


def flow_of(program: Program) -> NDArray[np.int64]:
    """The ``Flow`` of every micro-operation of ``program``."""
    return _Values(program).flags()


def _reachable(start: Iterable[int], edges: Sequence[Sequence[int]]) -> set[int]:
    """All values that ``edges`` lead to from ``start``, and ``start`` itself."""
    found = set(start)
    waiting = list(found)
    while waiting:
        for value in edges[waiting.pop()]:
            if value not in found:
                found.add(value)
                waiting.append(value)
    return found


class _Values:
    """The values of a program, numbered, and those that each is made of.

    Loads and stores of global and of shared memory are values of their own, by the index of their instruction.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._made_of: list[list[int]] = []
        self._local = self._value([])
        self._textures: list[int] = []
        self._global_loads: dict[int, int] = {}
        self._shared_loads: dict[int, int] = {}
        self._global_stores: dict[int, int] = {}
        self._shared_stores: dict[int, int] = {}
        # The rows of registers, and the latest values of the rows that the current PTX instruction has written: a
        # scratch row has another meaning in the next one.
        self._rows: dict[int, int] = {}
        self._written: dict[int, int] = {}
        code, ends = program.code[_FIELDS].tolist(), program.ends.tolist()
        for span in program.spans:
            self._rows = {}
            for pc in range(span.start, span.stop):
                self._instruction(pc, *code[pc])
                if ends[pc]:
                    self._written.clear()

    def flags(self) -> NDArray[np.int64]:
        """The ``Flow`` of every instruction."""
        becomes: list[list[int]] = [[] for _ in self._made_of]
        for value, sources in enumerate(self._made_of):
            for source in sources:
                becomes[source].append(value)
        shared_loads, shared_stores = self._shared_loads.values(), self._shared_stores.values()
        past_shared = _reachable(self._global_stores.values(), self._made_of)
        into_shared = set()
        if not past_shared.isdisjoint(shared_loads):
            into_shared = _reachable(shared_stores, self._made_of)
        delivered = past_shared | into_shared
        sources = [load for load in self._global_loads.values() if load in delivered]
        staged = _reachable([*sources, *self._textures], becomes)
        if not staged.isdisjoint(shared_stores):
            staged = _reachable([*staged, *shared_loads], becomes)
        elif not sources:
            staged = set(shared_stores)
        flags = np.zeros(len(self._program.code), np.int64)
        for values, members, flag in (
            (self._global_loads, into_shared, Flow.STAGED),
            (self._global_loads, past_shared, Flow.DIRECT),
            (self._shared_stores, staged, Flow.STAGES),
            (self._shared_loads, delivered, Flow.DELIVERS),
            (self._global_stores, _reachable(shared_loads, becomes), Flow.RECEIVES),
        ):
            flags[[pc for pc, value in values.items() if value in members]] |= flag
        return flags

    def _value(self, sources: list[int]) -> int:
        """A new value that is made of ``sources``."""
        self._made_of.append(sources)
        return len(self._made_of) - 1

    def _read(self, rows: Iterable[int]) -> list[int]:
        """The values in ``rows``; negative ones are constants."""
        return [
            self._written[row] if row in self._written else self._register(row) for row in rows if row >= 0
        ]

    def _register(self, row: int) -> int:
        if row not in self._rows:
            self._rows[row] = self._value([])
        return self._rows[row]

    def _write(self, sources: list[int], rows: Iterable[int]) -> None:
        """Put a new value into ``rows``, negative ones aside."""
        value = self._value(sources)
        for row in rows:
            if row >= 0:
                self._written[row] = value
                self._made_of[self._register(row)].append(value)

    def _instruction(
        self, pc: int, op: int, d: int, a: int, b: int, c: int, imm: int, target: int, count: int, space: int
    ) -> None:
        """Add one micro-operation, given by its fields."""
        known = _SOURCES.get(op)
        if known is not None:
            self._write(self._read((a, b, c)[:known]), (d, imm) if op in _SECOND_RESULT else (d,))
        elif op == _LOAD:
            self._write(self._loaded(pc, space, self._read((a,))), self._data(d, target, count))
        elif op == _STORE:
            self._store(pc, space, self._read((a, *self._data(b, target, count))))
        elif op == _ATOMIC:
            self._atomic(pc, space, self._read((a, b, c)), d)
        elif op == _SERVICE:
            call = self._program.services[imm]
            sources = self._read(row.offset for row in call.sources)
            if call.service in READS_TEXELS:
                self._textures.append(self._value([]))
                sources.append(self._textures[-1])
            self._write(sources, [row.offset for row in call.targets])

    def _atomic(self, pc: int, space: int, operands: list[int], d: int) -> None:
        """The value that an atomic stores is made of the one before, which goes to ``d``, if not negative."""
        if d >= 0 or space in _SHARED:
            operands = self._loaded(pc, space, operands)
        self._store(pc, space, operands)
        self._write(operands, (d,))

    def _data(self, row: int, target: int, count: int) -> Iterable[int]:
        """The rows that an access loads or stores."""
        return (row,) if count == 1 else map(int, self._program.operands[target : target + count])

    def _loaded(self, pc: int, space: int, address: list[int]) -> list[int]:
        """The values that a load's result is made of; the address is one of them."""
        for spaces, loads in ((_GLOBAL, self._global_loads), (_SHARED, self._shared_loads)):
            if space in spaces:
                loads[pc] = self._value([])
                address.append(loads[pc])
        return [*address, self._local] if space in _LOCAL else address

    def _store(self, pc: int, space: int, sources: list[int]) -> None:
        for spaces, stores in ((_GLOBAL, self._global_stores), (_SHARED, self._shared_stores)):
            if space in spaces:
                stores[pc] = self._value(sources)
        if space in _LOCAL:
            self._made_of[self._local].extend(sources)
