"""The arithmetic unit: all row micro-operations as one LLVM function with one switch, called from the interpreter.

It is LLVM code rather than Numba loops because a row is a vector: 32 lanes take a few machine instructions, and 400
operations compile in seconds instead of minutes.
"""

from typing import Any

from llvmlite import ir

from grader.engines.emulator.isa.cells import ROW_ALIGN, WARP, Cell
from grader.engines.emulator.isa.emit import Emit, MicroOp, Rounding, Value, declare, expand_mask
from grader.engines.emulator.isa.table import MICRO_OPS
from grader.engines.emulator.numba_api import intrinsic, types

_NAME = "grader_emulator_arithmetic_unit"
_I32 = ir.IntType(32)
_I64 = ir.IntType(64)
_PTR = ir.PointerType()
_BITS = ir.VectorType(ir.IntType(1), WARP)


@intrinsic
def execute(typingctx, op, frame, constants, d, a, b, c, imm, mask):
    """Run micro-operation ``op`` on rows.

    ``frame`` and ``constants`` are addresses. Operands are byte offsets: from ``frame`` if not negative, else
    ``~offset`` from ``constants``. Only lanes in ``mask`` are written. The caller guarantees that every
    offset lies in its frame.
    """
    i32, i64 = types.int32, types.int64
    signature = types.void(i32, i64, i64, i32, i32, i32, i32, i64, i64)
    return signature, _call


def _call(context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
    module = builder.module
    function = module.globals.get(_NAME) or _define(module)
    builder.call(function, args)
    return context.get_dummy_value()


def _define(module: ir.Module) -> ir.Function:
    signature = ir.FunctionType(ir.VoidType(), [_I32, _I64, _I64, _I32, _I32, _I32, _I32, _I64, _I64])
    function = ir.Function(module, signature, _NAME)
    function.linkage = "internal"
    function.attributes.add("noinline")
    op, frame, constants, d, a, b, c, imm, lanes = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    mask = builder.trunc(lanes, _I32)
    target = builder.inttoptr(builder.add(frame, builder.zext(d, _I64)), _PTR)
    sources = [_address(builder, frame, constants, offset) for offset in (a, b, c)]
    done = function.append_basic_block("done")
    switch = builder.switch(op, done)
    ir.IRBuilder(done).ret_void()
    for number, (name, micro_op) in enumerate(MICRO_OPS.items()):
        block = function.append_basic_block(name)
        switch.add_case(ir.Constant(_I32, number), block)
        body = ir.IRBuilder(block)
        if micro_op.rounding is not Rounding.NEAREST:
            _set_rounding(body, micro_op.rounding)
        if micro_op.lanewise:
            _lane_loop(body, micro_op, target, sources, mask, imm)
        else:
            _whole_row(body, micro_op, target, sources, mask, imm)
        if micro_op.rounding is not Rounding.NEAREST:
            _set_rounding(body, Rounding.NEAREST)
        body.branch(done)
    return function


def _address(builder: ir.IRBuilder, frame: Value, constants: Value, offset: Value) -> Value:
    constant = builder.icmp_signed("<", offset, _I32(0))
    base = builder.select(constant, constants, frame)
    distance = builder.select(constant, builder.not_(offset), offset)
    return builder.inttoptr(builder.add(base, builder.zext(distance, _I64)), _PTR)


def _whole_row(
    body: ir.IRBuilder, op: MicroOp, target: Value, sources: list[Value], mask: Value, imm: Value
) -> None:
    emit = Emit(body, WARP, imm)
    operands = [_load_row(body, cell, pointer) for cell, pointer in zip(op.ins, sources, strict=False)]
    result = op.build(emit, *operands)
    if op.out is Cell.P:
        old = body.load(target, typ=_I32)
        new = body.and_(body.bitcast(result, _I32), mask)
        body.store(body.or_(new, body.and_(old, body.not_(mask))), target)
        return
    vector = ir.VectorType(op.out.element, WARP)
    suffix = f"v{WARP}{op.out.token}"
    store = declare(
        body.module,
        f"llvm.masked.store.{suffix}.p0",
        ir.FunctionType(ir.VoidType(), [vector, _PTR, _I32, _BITS]),
    )
    body.call(store, [result, target, _I32(ROW_ALIGN), expand_mask(body, mask)])


def _load_row(body: ir.IRBuilder, cell: Cell, pointer: Value) -> Value:
    if cell is Cell.P:
        return expand_mask(body, body.load(pointer, typ=_I32))
    return body.load(pointer, typ=ir.VectorType(cell.element, WARP), align=ROW_ALIGN)


def _lane_loop(
    body: ir.IRBuilder, op: MicroOp, target: Value, sources: list[Value], mask: Value, imm: Value
) -> None:
    before = body.block
    head = body.append_basic_block()
    body.branch(head)
    body.position_at_end(head)
    lane = body.phi(_I32)
    lane.add_incoming(_I32(0), before)
    active = body.and_(body.lshr(mask, lane), _I32(1))
    with body.if_then(body.icmp_unsigned("!=", active, _I32(0))):
        operands = [
            body.load(body.gep(pointer, [lane], source_etype=cell.element), typ=cell.element)
            for cell, pointer in zip(op.ins, sources, strict=False)
        ]
        result = op.build(Emit(body, 1, imm), *operands)
        body.store(result, body.gep(target, [lane], source_etype=op.out.element))
    following = body.add(lane, _I32(1))
    lane.add_incoming(following, body.block)
    after = body.append_basic_block()
    body.cbranch(body.icmp_unsigned("<", following, _I32(WARP)), head, after)
    body.position_at_end(after)


def _set_rounding(body: ir.IRBuilder, mode: Rounding) -> None:
    """Change the CPU thread's rounding mode. Operands are loaded after it, results stored before the next change."""
    function = declare(body.module, "llvm.set.rounding", ir.FunctionType(ir.VoidType(), [_I32]))
    body.call(function, [_I32(int(mode))])
