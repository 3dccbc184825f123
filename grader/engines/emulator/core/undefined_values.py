"""Follow undefined values: of a shuffle from absent lanes, and of shared or local memory that nothing has written.

Code may read and discard such a value. So the value of a shuffle is reported only when it reaches memory. A read of
unwritten memory is an event by itself, and the first instruction that depends on the value is added to it: one that it
guards, selects or addresses, or one that stores it. ``ctx.taints`` has a word for each row of the frames: in its lower
half a bit for each lane that has an undefined value there, in its upper half the instruction that read such a value.
"""

from typing import Any

from grader.engines.emulator.core.addresses import SHARED_WINDOW
from grader.engines.emulator.core.codes import EventKind, Op, Space
from grader.engines.emulator.core.events import note
from grader.engines.emulator.core.host import first_lane, load_i32, load_i64, load_u32, store_i64, zero_bytes
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.rows import operand
from grader.engines.emulator.core.views import event_at, instruction_at, warp_at
from grader.engines.emulator.isa.cells import ROW_ALIGN
from grader.engines.emulator.isa.table import NUMBER

_UNDEFINED_VALUE, _UNINITIALISED = int(EventKind.UNDEFINED_VALUE), int(EventKind.UNINITIALISED)
_LOAD, _STORE, _SHUFFLE, _SHARED = int(Op.LOAD), int(Op.STORE), int(Op.SHUFFLE), int(Space.SHARED)
_SELECT_16, _SELECT_32, _SELECT_64 = NUMBER["selp.i16"], NUMBER["selp.i32"], NUMBER["selp.i64"]
_SELECT_PREDICATE, _AND, _OR = NUMBER["selp.p"], NUMBER["and.p"], NUMBER["or.p"]
_LANES, _ORIGIN_SHIFT = 0xFFFFFFFF, 32
_WORD = 8
TAINT_BYTES_SHARE = ROW_ALIGN // _WORD
"""Bytes of frames for each byte of taints."""


@compiled
def _word(ctx: Any, rows: int, offset: int) -> int:
    return ctx.taints + (rows + offset - ctx.frames) // ROW_ALIGN * _WORD


@compiled
def taint_of(ctx: Any, rows: int, offset: int) -> int:
    """The lanes that have an undefined value in an operand's row."""
    return 0 if ctx.diagnose == 0 or offset < 0 else load_i64(_word(ctx, rows, offset)) & _LANES


@compiled
def _origin_of(ctx: Any, rows: int, offset: int) -> int:
    """The instruction that read the undefined value in an operand's row."""
    return load_i64(_word(ctx, rows, offset)) >> _ORIGIN_SHIFT


@compiled
def _set(ctx: Any, rows: int, offset: int, lanes: int, taint: int, origin: int) -> None:
    word = _word(ctx, rows, offset)
    held = load_i64(word)
    if not taint & lanes:
        origin = held >> _ORIGIN_SHIFT
    store_i64(word, (origin << _ORIGIN_SHIFT) | (held & _LANES & ~lanes) | (taint & lanes))


@compiled
def define(ctx: Any, w: int, rows: int, offset: int, lanes: int) -> None:
    """Record that ``lanes`` get a defined value in an operand's row."""
    if warp_at(ctx.states, w).tainted and offset >= 0:
        _set(ctx, rows, offset, lanes, 0, 0)


@compiled
def _start(ctx: Any, w: int) -> None:
    """Begin to follow undefined values in warp ``w``."""
    zero_bytes(ctx.taints + w * (ctx.frame_bytes // TAINT_BYTES_SHARE), ctx.frame_bytes // TAINT_BYTES_SHARE)
    warp_at(ctx.states, w).tainted = 1


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
        _start(ctx, w)
    if undefined and warp.taint_pc < 0:
        warp.taint_pc = pc
        warp.taint_reader = reader
        warp.taint_source = source
        warp.taint_exited = 1 - ((warp.live >> source) & 1)
    origin = pc if undefined else _origin_of(ctx, rows, int(ins.a)) if carried else 0
    _set(ctx, rows, int(ins.d), lanes, undefined | carried, origin)


@compiled
def record_unwritten(ctx: Any, w: int, lane: int, address: int) -> None:
    """Record that the running load or atomic reads, for ``lane``, memory that nothing has written."""
    if not warp_at(ctx.states, w).tainted:
        _start(ctx, w)
    ctx.undefined_lanes |= 1 << lane
    ctx.undefined_address = address


@compiled
def record_use(ctx: Any, w: int, pc: int, rows: int, offset: int, lanes: int) -> None:
    """Record that the instruction at ``pc`` depends on an operand's value in ``lanes``, if it is unwritten memory."""
    taint = taint_of(ctx, rows, offset) & lanes
    if taint == 0:
        return
    origin = _origin_of(ctx, rows, offset)
    if instruction_at(ctx.code, origin).op == _SHUFFLE:
        return
    known = False
    for index in range(ctx.event_count):
        event = event_at(ctx.events, index)
        if event.kind == _UNINITIALISED and event.pc == origin:
            known = True
            if event.detail == 0:
                event.detail = pc + 1
    if not known:
        thread = w * 32 + first_lane(taint)
        event = note(
            ctx, _UNINITIALISED, origin, -1, _SHARED, SHARED_WINDOW, ctx.undefined_address, thread, -1, -1
        )
        if event >= 0:
            event_at(ctx.events, event).detail = pc + 1


@compiled
def carry(ctx: Any, w: int, ins: Any, pc: int, rows: int, lanes: int) -> None:
    """Pass undefined values on from the operands of a micro-operation to its result."""
    a, b, c = taint_of(ctx, rows, ins.a), taint_of(ctx, rows, ins.b), taint_of(ctx, rows, ins.c)
    taint = a | b | c
    op = ins.op
    if taint == 0:
        _set(ctx, rows, int(ins.d), lanes, 0, 0)
        return
    if op in (_SELECT_16, _SELECT_32, _SELECT_64, _SELECT_PREDICATE):
        chosen = load_u32(operand(ctx, rows, ins.c))
        taint = (a & chosen) | (b & ~chosen) | c
        record_use(ctx, w, pc, rows, int(ins.c), lanes)
    elif op in (_AND, _OR):
        # What is false and undefined is false, what is true or undefined is true.
        one, other = load_u32(operand(ctx, rows, ins.a)), load_u32(operand(ctx, rows, ins.b))
        if op == _OR:
            one, other = ~one, ~other
        taint = (a & (b | other)) | (b & (a | one))
    source = int(ins.a) if a else int(ins.b) if b else int(ins.c)
    _set(ctx, rows, int(ins.d), lanes, taint, _origin_of(ctx, rows, source))


@compiled
def carry_access(ctx: Any, w: int, ins: Any, pc: int, rows: int, lanes: int) -> None:
    """Pass on what a load or an atomic reads, and record undefined addresses and undefined values that it writes."""
    record_use(ctx, w, pc, rows, int(ins.a), lanes)
    for element in range(ins.count):
        row = int(ins.d) if ins.op != _STORE else int(ins.b)
        if ins.count > 1:
            row = load_i32(ctx.operands + 4 * (ins.target + element))
        if ins.op != _LOAD:
            _record_store(ctx, w, pc, rows, row if ins.op == _STORE else int(ins.b), lanes)
            _record_store(ctx, w, pc, rows, int(ins.c), lanes)
        if ins.op != _STORE and row >= 0:
            _set(ctx, rows, row, lanes, ctx.undefined_lanes, pc)
    ctx.undefined_lanes = 0


@compiled
def _record_store(ctx: Any, w: int, pc: int, rows: int, offset: int, lanes: int) -> None:
    """Record that the store or atomic at ``pc`` writes the value of an operand, if it is undefined.

    That of a shuffle is reported at the shuffle that read the first one.
    """
    if not taint_of(ctx, rows, offset) & lanes:
        return
    if instruction_at(ctx.code, _origin_of(ctx, rows, offset)).op != _SHUFFLE:
        record_use(ctx, w, pc, rows, offset, lanes)
        return
    warp = warp_at(ctx.states, w)
    thread, source = w * 32 + warp.taint_reader, w * 32 + warp.taint_source
    space = int(instruction_at(ctx.code, pc).space)
    event = note(ctx, _UNDEFINED_VALUE, warp.taint_pc, pc, space, 0, 0, thread, source, ctx.block)
    if event >= 0:
        event_at(ctx.events, event).detail = warp.taint_exited
