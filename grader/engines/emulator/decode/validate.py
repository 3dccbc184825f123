"""Validate a decoded program before it runs.

The interpreter checks only the addresses that device code computes. It relies on every operand being in its frame (at a
row's alignment, with room for a row of its width), every target being code, and every size being one that it handles.
This module checks that for all instructions at once, so that no decoder error on hostile PTX causes an access outside
the emulator's arrays.
"""

from collections.abc import Callable

import numpy as np

from grader.engines.emulator.core.atomics import Atomic
from grader.engines.emulator.core.barriers import Reduction
from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.core.collectives import Match, Shuffle, Vote
from grader.engines.emulator.decode.part import Part
from grader.engines.emulator.decode.program import Program, UnsupportedError
from grader.engines.emulator.isa.cells import ROW_ALIGN, WARP
from grader.engines.emulator.isa.table import MICRO_OPS

_PREDICATE = 4
_ROW = 4 * WARP
_CELLS = (2, 4, 8)
_WIDTHS = (1, 2, 4, 8)
_COUNTS = (1, 2, 4)

Rule = Callable[[Part], None]


def validated(program: Program) -> Program:
    """``program`` itself. Raises: ``UnsupportedError`` naming the first instruction that breaks a rule."""
    length = len(program.code)
    frame, start, stop = (np.zeros(length, np.int64) for _ in range(3))
    for span in program.spans:
        frame[span.start : span.stop] = span.frame_bytes
        start[span.start : span.stop], stop[span.start : span.stop] = span.start, span.stop
    ops = program.code["op"]
    bad = np.zeros(length, np.bool_)
    for op in np.unique(ops):
        chosen = np.flatnonzero(ops == op)
        part = Part(
            program,
            program.code[chosen],
            frame[chosen],
            start[chosen],
            stop[chosen],
            np.zeros(len(chosen), np.bool_),
        )
        part.row("guard", _PREDICATE, optional=True)
        _rule(int(op))(part)
        bad[chosen] = part.bad
    if bad.any():
        pc = int(np.argmax(bad))
        raise UnsupportedError(program.texts[pc], program.locations[pc], code="unsupported-operands")
    return program


def _rule(op: int) -> Rule:
    return _micro_operation if 0 <= op < len(_SHAPES) else RULES.get(op, _unknown)


_SHAPES = tuple((op.out.row_bytes, tuple(cell.row_bytes for cell in op.ins)) for op in MICRO_OPS.values())


def _micro_operation(part: Part) -> None:
    out, ins = _SHAPES[int(part.code["op"][0])]
    part.row("d", out)
    for name, size in zip("abc", ins, strict=False):
        part.row(name, size, constant=True)


def _unknown(part: Part) -> None:
    part.bad[:] = True


def _nothing(_part: Part) -> None:
    """Check nothing: the operation has no operands."""


def _branch(part: Part) -> None:
    part.jump(part.field("target"))


def _branch_indexed(part: Part) -> None:
    part.row("a", _ROW, constant=True)
    part.list_fits(np.ones(len(part.code), np.bool_))
    for index in range(int(part.field("count").max(initial=0))):
        part.need(
            (index >= part.field("count"))
            | ((part.listed(index) >= part.start) & (part.listed(index) < part.stop))
        )


def _call(part: Part) -> None:
    """The callee's frame starts behind the caller's, so the instruction must have the size of the caller's frame."""
    frames = {span.start: span.frame_bytes for span in part.program.spans}
    target = part.field("target")
    part.need(np.isin(target, list(frames)))
    part.need(part.field("imm") == part.frame)
    part.need(part.field("d") == np.array([frames.get(int(each), -1) for each in target], np.int64))
    part.need((part.field("b") >= 0) & (part.field("c") >= 0))


def _call_indirect(part: Part) -> None:
    """Check the three operand-list entries of each function: its start or -1, and its frame and local bytes."""
    part.row("a", 8 * WARP, constant=True)
    part.need(part.field("imm") == part.frame)
    part.need(part.field("c") >= 0)
    frames = {span.start: span.frame_bytes for span in part.program.spans}
    for index, ins in enumerate(part.code):
        first, count = int(ins["target"]), int(ins["count"])
        table = part.program.operands[first : first + 3 * count].reshape(-1, 3) if first >= 0 else ()
        fits = len(table) == count and all(
            start == -1 or (frames.get(int(start)) == frame and local >= 0) for start, frame, local in table
        )
        part.bad[index] |= not fits


def _service(part: Part) -> None:
    for index, ins in enumerate(part.code):
        number = int(ins["imm"])
        if not 0 <= number < len(part.program.services):
            part.bad[index] = True
            continue
        call, alone = part.program.services[number], part.alone(index)
        for row in call.sources:
            alone.row(np.array([row.offset]), row.bytes * WARP, constant=True)
        for row in call.targets:
            alone.row(np.array([row.offset]), row.bytes * WARP)


def _access(part: Part, data: str, *, constant: bool) -> None:
    part.one_of("address_bits", (32, 64))
    part.row("a", part.field("address_bits") // 8 * WARP, constant=True)
    for name, allowed in (("width", _WIDTHS), ("cell", _CELLS), ("count", _COUNTS)):
        part.one_of(name, allowed)
    part.need(part.field("cell") >= part.field("width"))
    many = part.field("count") > 1
    part.list_fits(many)
    size = part.field("cell") * WARP
    part.row(np.where(many, part.listed(0), part.field(data)), size, constant=constant)
    for index in range(1, max(_COUNTS)):
        part.row(np.where(part.field("count") > index, part.listed(index), 0), size, constant=constant)


def _load(part: Part) -> None:
    _access(part, "d", constant=False)


def _store(part: Part) -> None:
    _access(part, "b", constant=True)


def _atomic(part: Part) -> None:
    part.one_of("width", (2, 4, 8))
    part.one_of("function", tuple(Atomic))
    part.one_of("address_bits", (32, 64))
    part.need(part.field("count") == 1)
    part.row("a", part.field("address_bits") // 8 * WARP, constant=True)
    size = part.field("width") * WARP
    part.row("d", size, optional=True)
    part.row("b", size, constant=True)
    part.row("c", size, constant=True)


def _barrier(part: Part) -> None:
    part.one_of("function", tuple(Reduction))
    part.row("a", _ROW, constant=True)
    part.row("b", _ROW, constant=True)
    reduces = part.field("function") != Reduction.NONE
    counts = part.field("function") == Reduction.COUNT
    part.row(np.where(reduces, part.field("c"), 0), _PREDICATE, constant=True)
    part.row(np.where(reduces, part.field("d"), 0), np.where(counts, _ROW, _PREDICATE))


def _member(part: Part) -> None:
    part.row("target", _ROW, constant=True)


def _shuffle(part: Part) -> None:
    _member(part)
    part.one_of("function", tuple(Shuffle))
    for name in "abc":
        part.row(name, _ROW, constant=True)
    part.row("d", _ROW)
    part.row("imm", _PREDICATE, optional=True)


def _vote(part: Part) -> None:
    _member(part)
    part.one_of("function", tuple(Vote))
    part.row("a", _PREDICATE, constant=True)
    part.row("d", np.where(part.field("function") == Vote.BALLOT, _ROW, _PREDICATE))


def _match(part: Part) -> None:
    _member(part)
    part.one_of("function", tuple(Match))
    part.one_of("width", (4, 8))
    part.row("a", part.field("width") * WARP, constant=True)
    part.row("d", _ROW)
    part.row("imm", _PREDICATE, optional=True)


def _result(part: Part) -> None:
    part.row("d", _ROW)


def _thread_row(part: Part) -> None:
    """``a`` counts from the start of a warp's table, like a constant's offset."""
    _result(part)
    table = ~part.field("a")
    part.need((table >= 0) & (table % ROW_ALIGN == 0) & (table + _ROW <= 4 * _ROW))


def _clock(part: Part) -> None:
    part.one_of("cell", (4, 8))
    part.row("d", part.field("cell") * WARP)


RULES: dict[int, Rule] = {
    Op.BRANCH: _branch,
    Op.BRANCH_INDEXED: _branch_indexed,
    Op.CALL: _call,
    Op.RETURN: _nothing,
    Op.EXIT: _nothing,
    Op.TRAP: _nothing,
    Op.LOAD: _load,
    Op.STORE: _store,
    Op.ATOMIC: _atomic,
    Op.FENCE: _nothing,
    Op.BARRIER: _barrier,
    Op.BARRIER_ARRIVE: _barrier,
    Op.WARP_BARRIER: _member,
    Op.SHUFFLE: _shuffle,
    Op.VOTE: _vote,
    Op.MATCH: _match,
    Op.ACTIVE_MASK: _result,
    Op.THREAD_ROW: _thread_row,
    Op.CLOCK: _clock,
    Op.CALL_INDIRECT: _call_indirect,
    Op.SERVICE: _service,
    Op.GRID_BARRIER: _nothing,
}
"""Rules for every operation that is not a row micro-operation."""
