"""Follow the undefined values that a shuffle reads from lanes that do not take part in it.

Code may read and discard such a value, so it is reported only when it reaches memory. ``ctx.taints`` has a word for
each row of the frames, with a bit for each lane that has an undefined value there.
"""

from typing import Any

from grader.engines.emulator.core.codes import EventKind, Op
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import load_i32, load_u32, store_i32, zero_bytes
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.views import event_at, instruction_at, warp_at
from grader.engines.emulator.isa.cells import ROW_ALIGN
from grader.engines.emulator.isa.table import NUMBER

_UNDEFINED_VALUE = int(EventKind.UNDEFINED_VALUE)
_LOAD, _STORE = int(Op.LOAD), int(Op.STORE)
_SELECT_16, _SELECT_32, _SELECT_64 = NUMBER["selp.i16"], NUMBER["selp.i32"], NUMBER["selp.i64"]
_SELECT_PREDICATE = NUMBER["selp.p"]
_WORD = 4
TAINT_BYTES_SHARE = ROW_ALIGN // _WORD
"""Bytes of frames for each byte of taints."""


@compiled
def _word(ctx: Any, rows: int, offset: int) -> int:
    return ctx.taints + (rows + offset - ctx.frames) // ROW_ALIGN * _WORD


@compiled
def taint_of(ctx: Any, rows: int, offset: int) -> int:
    """The lanes that have an undefined value in an operand's row."""
    return 0 if ctx.diagnose == 0 or offset < 0 else load_u32(_word(ctx, rows, offset))


@compiled
def _set(ctx: Any, rows: int, offset: int, lanes: int, taint: int) -> None:
    word = _word(ctx, rows, offset)
    store_i32(word, (load_u32(word) & ~lanes) | (taint & lanes))


@compiled
def record_shuffle(
    ctx: Any,
    w: int,
    ins: Any,
    pc: int,
    rows: int,
    lanes: int,
    undefined: int,
    carried: int,
    reader: int,
    source: int,
) -> None:
    """Mark the results of a shuffle: ``undefined`` lanes read one that is absent, ``carried`` an undefined value.

    Lane ``reader`` is the first of the former, ``source`` the lane from which it reads.
    """
    warp = warp_at(ctx.states, w)
    if ctx.diagnose == 0 or (undefined == 0 and not warp.tainted):
        return
    if not warp.tainted:
        zero_bytes(
            ctx.taints + w * (ctx.frame_bytes // TAINT_BYTES_SHARE), ctx.frame_bytes // TAINT_BYTES_SHARE
        )
        warp.tainted = 1
        warp.taint_pc = pc
        warp.taint_reader = reader
        warp.taint_source = source
        warp.taint_exited = 1 - ((warp.live >> source) & 1)
    _set(ctx, rows, int(ins.d), lanes, undefined | carried)


@compiled
def carry(ctx: Any, ins: Any, rows: int, lanes: int) -> None:
    """Pass undefined values on from the operands of a micro-operation to its result."""
    a, b = taint_of(ctx, rows, int(ins.a)), taint_of(ctx, rows, int(ins.b))
    taint = a | b
    op = ins.op
    if op in (_SELECT_16, _SELECT_32, _SELECT_64, _SELECT_PREDICATE):
        chosen = load_u32(operand(ctx, rows, ins.c))
        taint = (a & chosen) | (b & ~chosen)
    _set(ctx, rows, int(ins.d), lanes, taint | taint_of(ctx, rows, int(ins.c)))


@compiled
def carry_access(ctx: Any, w: int, ins: Any, pc: int, rows: int, lanes: int) -> None:
    """Report an undefined value that a store or an atomic writes; what a load or an atomic reads is defined."""
    for element in range(ins.count):
        row = int(ins.d) if ins.op != _STORE else int(ins.b)
        if ins.count > 1:
            row = load_i32(ctx.operands + _WORD * (ins.target + element))
        if ins.op != _LOAD:
            value = row if ins.op == _STORE else int(ins.b)
            written = (taint_of(ctx, rows, value) | taint_of(ctx, rows, int(ins.c))) & lanes
            if written:
                _report(ctx, w, pc)
        if ins.op != _STORE and row >= 0:
            _set(ctx, rows, row, lanes, 0)


@compiled
def _report(ctx: Any, w: int, pc: int) -> None:
    """Record that the store or atomic at ``pc`` writes an undefined value, at the shuffle that read the first one."""
    warp = warp_at(ctx.states, w)
    thread, source = w * 32 + warp.taint_reader, w * 32 + warp.taint_source
    space = int(instruction_at(ctx.code, pc).space)
    event = note(ctx, _UNDEFINED_VALUE, warp.taint_pc, pc, space, 0, 0, thread, source, ctx.block)
    if event >= 0:
        event_at(ctx.events, event).detail = warp.taint_exited
