"""Vector primitives of the memory path, as LLVM: the addresses of 32 lanes, and moves between rows and memory.

These functions check no bounds; ``core.memory`` does.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from grader.engines.emulator.isa.cells import ROW_ALIGN, WARP
from grader.engines.emulator.isa.emit import Value, declare, expand_mask
from grader.engines.emulator.numba_api import intrinsic, types

_I1, _I32, _I64 = (ir.IntType(bits) for bits in (1, 32, 64))
_PTR = ir.PointerType()
_LONGS = ir.VectorType(_I64, WARP)
_POINTERS = ir.VectorType(_PTR, WARP)

SCRATCH_LOWEST = 256
SCRATCH_HIGHEST = 264
SCRATCH_BITS = 272
SCRATCH_PATTERN = 280
"""Offsets in the scratch area of the results of ``form_addresses``, which follow the 32 addresses."""

SCRATCH_BYTES = 512
"""Size of the scratch area; the second half is a free row."""

PATTERN_ANY = 0
PATTERN_UNIFORM = 1
PATTERN_ROW = 2
"""Pattern of the active lanes' addresses: any, all equal, or consecutive elements."""

Lowering = Callable[[Any, ir.IRBuilder, Any, list[Value]], Value]


def _once(
    name: str, arguments: list[ir.Type], define: Callable[[ir.IRBuilder, list[Value]], None]
) -> Lowering:
    """Call a private function that is not inlined; the module gets its definition on first use."""

    def build(context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        function = builder.module.globals.get(name)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(ir.VoidType(), arguments), name)
            function.linkage = "internal"
            function.attributes.add("noinline")
            body = ir.IRBuilder(function.append_basic_block("entry"))
            define(body, list(function.args))
            body.ret_void()
        builder.call(function, args)
        return context.get_dummy_value()

    return build


def _mask_of(b: ir.IRBuilder, lanes: Value) -> Value:
    """A lane mask cut from the interpreter's 64 bits to the 32 that vectors need."""
    return b.trunc(lanes, _I32)


def _splat(b: ir.IRBuilder, scalar: Value) -> Value:
    vector = ir.VectorType(scalar.type, WARP)
    one = b.insert_element(ir.Constant(vector, ir.Undefined), scalar, _I32(0))
    zeros = ir.Constant(ir.VectorType(_I32, WARP), [0] * WARP)
    return b.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def _reduce(b: ir.IRBuilder, name: str, vector: Value, element: ir.Type) -> Value:
    suffix = f"v{WARP}{element}"
    function = declare(
        b.module, f"llvm.vector.reduce.{name}.{suffix}", ir.FunctionType(element, [vector.type])
    )
    return b.call(function, [vector])


def _define_form(b: ir.IRBuilder, args: list[Value]) -> None:
    scratch, row, imm, narrow, stride, wide_mask = args
    mask = _mask_of(b, wide_mask)
    pointer = b.inttoptr(row, _PTR)
    into = b.inttoptr(scratch, _PTR)
    lanes = expand_mask(b, mask)
    with b.if_else(b.icmp_unsigned("!=", narrow, _I64(0))) as (short, long):
        with short:
            words = b.load(pointer, typ=ir.VectorType(_I32, WARP), align=ROW_ALIGN)
            summed = b.add(words, _splat(b, b.trunc(imm, _I32)))
            short_addresses = b.zext(summed, _LONGS)
            short_block = b.block
        with long:
            base = b.load(pointer, typ=_LONGS, align=ROW_ALIGN)
            long_addresses = b.add(base, _splat(b, imm))
            long_block = b.block
    addresses = b.phi(_LONGS)
    addresses.add_incoming(short_addresses, short_block)
    addresses.add_incoming(long_addresses, long_block)
    b.store(addresses, into, align=ROW_ALIGN)  # to pick one by its index below
    lane = b.call(declare(b.module, "llvm.cttz.i32", ir.FunctionType(_I32, [_I32, _I1])), [mask, _I1(0)])
    lane = b.and_(lane, _I32(WARP - 1))
    first = b.load(b.gep(into, [lane], source_etype=_I64), typ=_I64)
    used = b.select(lanes, addresses, _splat(b, first))
    indices = ir.Constant(_LONGS, list(range(WARP)))
    start = b.sub(first, b.mul(b.zext(lane, _I64), stride))
    expected = b.add(_splat(b, start), b.mul(indices, _splat(b, stride)))
    off_row = b.and_(b.bitcast(b.icmp_unsigned("!=", addresses, expected), _I32), mask)
    off_first = b.bitcast(b.icmp_unsigned("!=", used, _splat(b, first)), _I32)
    row_or_any = b.select(b.icmp_unsigned("==", off_row, _I32(0)), _I64(PATTERN_ROW), _I64(PATTERN_ANY))
    is_uniform = b.icmp_unsigned("==", off_first, _I32(0))
    pattern = b.select(is_uniform, _I64(PATTERN_UNIFORM), row_or_any)
    b.store(
        b.select(lanes, addresses, b.select(is_uniform, _splat(b, first), expected)), into, align=ROW_ALIGN
    )
    for offset, value in (
        (SCRATCH_LOWEST, _reduce(b, "umin", used, _I64)),
        (SCRATCH_HIGHEST, _reduce(b, "umax", used, _I64)),
        (SCRATCH_BITS, _reduce(b, "or", used, _I64)),
        (SCRATCH_PATTERN, pattern),
    ):
        b.store(value, b.inttoptr(b.add(scratch, _I64(offset)), _PTR))


@intrinsic
def form_addresses(typingctx, scratch, row, imm, narrow, stride, mask):
    """Write ``row + imm`` of 32 lanes to ``scratch``, then the lowest, the highest and the pattern for ``mask``.

    Lanes outside ``mask`` get the address that continues the row, or the common address, so lane 0 always has one.
    ``narrow``: the row holds 32-bit addresses, which wrap at 32 bits. ``stride``: bytes between the elements of
    consecutive lanes that count as a row. ``mask`` is not empty.
    """
    build = _once("grader_emulator_form_addresses", [_I64] * 6, _define_form)
    long = types.int64
    return types.void(long, long, long, long, long, long), build


@intrinsic
def lane_steps(typingctx, scratch, bits):
    """Find the lanes where the address in ``scratch``, shifted right by ``bits``, differs from the previous lane's.

    Returns: their mask (never lane 0), or -1 if the addresses both rise and fall.
    """

    def build(_context: Any, b: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        scratch, bits = args
        addresses = b.load(b.inttoptr(scratch, _PTR), typ=_LONGS, align=ROW_ALIGN)
        units = b.lshr(addresses, _splat(b, bits))
        before = ir.Constant(ir.VectorType(_I32, WARP), [0, *range(WARP - 1)])
        previous = b.shuffle_vector(units, ir.Constant(_LONGS, ir.Undefined), before)

        def lanes(relation: str) -> Value:
            return b.bitcast(b.icmp_unsigned(relation, units, previous), _I32)

        rising, falling = lanes(">"), lanes("<")
        both = b.and_(
            b.icmp_unsigned("!=", rising, _I32(0)),
            b.icmp_unsigned("!=", falling, _I32(0)),
        )
        return b.select(both, _I64(-1), b.zext(b.or_(rising, falling), _I64))

    return types.int64(types.int64, types.int64), build


@intrinsic
def run_starts(typingctx, scratch, mask, step):
    """The lanes in ``mask`` that do not continue a run: where the lane before has no address ``step`` bytes lower."""

    def build(_context: Any, b: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        scratch, mask, step = args[0], _mask_of(b, args[1]), args[2]
        addresses = b.load(b.inttoptr(scratch, _PTR), typ=_LONGS, align=ROW_ALIGN)
        before = ir.Constant(ir.VectorType(_I32, WARP), [0, *range(WARP - 1)])
        previous = b.shuffle_vector(addresses, ir.Constant(_LONGS, ir.Undefined), before)
        differs = b.bitcast(b.icmp_unsigned("!=", addresses, b.add(previous, _splat(b, step))), _I32)
        follows = b.shl(mask, _I32(1))
        return b.zext(b.and_(mask, b.or_(differs, b.not_(follows))), _I64)

    return types.int64(*[types.int64] * 3), build


@intrinsic
def lane_bits(typingctx, scratch, shift, base, modulus, mask):
    """The set of ``((address >> shift) - base) % modulus`` over the lanes in ``mask``, as bits of a word.

    ``modulus`` is a power of two up to 64.
    """

    def build(_context: Any, b: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        scratch, shift, base, modulus, mask = args
        addresses = b.load(b.inttoptr(scratch, _PTR), typ=_LONGS, align=ROW_ALIGN)
        units = b.sub(b.lshr(addresses, _splat(b, shift)), _splat(b, base))
        positions = b.and_(units, _splat(b, b.sub(modulus, _I64(1))))
        bits = b.shl(_splat(b, _I64(1)), positions)
        used = b.select(expand_mask(b, _mask_of(b, mask)), bits, ir.Constant(_LONGS, [0] * WARP))
        return _reduce(b, "or", used, _I64)

    return types.int64(*[types.int64] * 5), build


def _define_shift(b: ir.IRBuilder, args: list[Value]) -> None:
    scratch, delta, lane_stride = args
    pointer = b.inttoptr(scratch, _PTR)
    addresses = b.load(pointer, typ=_LONGS, align=ROW_ALIGN)
    indices = ir.Constant(_LONGS, list(range(WARP)))
    bases = b.add(_splat(b, delta), b.mul(indices, _splat(b, lane_stride)))
    b.store(b.add(addresses, bases), pointer, align=ROW_ALIGN)


@intrinsic
def shift_addresses(typingctx, scratch, delta, lane_stride):
    """Add ``delta + lane * lane_stride`` to the 32 addresses in ``scratch``."""
    build = _once("grader_emulator_shift_addresses", [_I64] * 3, _define_shift)
    return types.void(types.int64, types.int64, types.int64), build


def _masked(b: ir.IRBuilder, name: str, result: ir.Type, arguments: list[Value], suffix: str) -> Value:
    function = declare(
        b.module,
        f"llvm.masked.{name}.{suffix}",
        ir.FunctionType(result, [argument.type for argument in arguments]),
    )
    return b.call(function, arguments)


def _define_gather(bits: int) -> Callable[[ir.IRBuilder, list[Value]], None]:
    element = ir.IntType(bits)
    vector = ir.VectorType(element, WARP)
    suffix = f"v{WARP}i{bits}"

    def define(b: ir.IRBuilder, args: list[Value]) -> None:
        row, scratch, offset, pattern, mask = args
        lanes = expand_mask(b, _mask_of(b, mask))
        into = b.inttoptr(row, _PTR)
        addresses = b.load(b.inttoptr(scratch, _PTR), typ=_LONGS, align=ROW_ALIGN)
        addresses = b.add(addresses, _splat(b, offset))
        undefined = ir.Constant(vector, ir.Undefined)

        def keep(data: Value) -> None:
            _masked(b, "store", ir.VoidType(), [data, into, _I32(ROW_ALIGN), lanes], f"{suffix}.p0")

        done = b.append_basic_block("done")
        row_case, uniform_case, other_case = (
            b.append_basic_block(name) for name in ("row", "uniform", "other")
        )
        switch = b.switch(pattern, other_case)
        switch.add_case(_I64(PATTERN_ROW), row_case)
        switch.add_case(_I64(PATTERN_UNIFORM), uniform_case)
        b.position_at_end(row_case)
        first = b.inttoptr(b.extract_element(addresses, _I32(0)), _PTR)
        keep(_masked(b, "load", vector, [first, _I32(1), lanes, undefined], f"{suffix}.p0"))
        b.branch(done)
        b.position_at_end(uniform_case)
        first = b.inttoptr(b.extract_element(addresses, _I32(0)), _PTR)
        keep(_splat(b, b.load(first, typ=element, align=1)))
        b.branch(done)
        b.position_at_end(other_case)
        with b.if_else(b.icmp_signed("==", _mask_of(b, mask), _I32(-1))) as (full, some):
            with full:
                # Scalar loads are faster than the CPU's gather instruction if all lanes are active.
                data = undefined
                for lane in range(WARP):
                    source = b.inttoptr(b.extract_element(addresses, _I32(lane)), _PTR)
                    data = b.insert_element(data, b.load(source, typ=element, align=1), _I32(lane))
                b.store(data, into, align=ROW_ALIGN)
            with some:
                pointers = b.inttoptr(addresses, _POINTERS)
                keep(
                    _masked(b, "gather", vector, [pointers, _I32(1), lanes, undefined], f"{suffix}.v{WARP}p0")
                )
        b.branch(done)
        b.position_at_end(done)

    return define


def _define_scatter(bits: int) -> Callable[[ir.IRBuilder, list[Value]], None]:
    vector = ir.VectorType(ir.IntType(bits), WARP)
    suffix = f"v{WARP}i{bits}"

    def define(b: ir.IRBuilder, args: list[Value]) -> None:
        row, scratch, offset, pattern, mask = args
        lanes = expand_mask(b, _mask_of(b, mask))
        addresses = b.load(b.inttoptr(scratch, _PTR), typ=_LONGS, align=ROW_ALIGN)
        addresses = b.add(addresses, _splat(b, offset))
        data = b.load(b.inttoptr(row, _PTR), typ=vector, align=ROW_ALIGN)
        with b.if_else(b.icmp_unsigned("==", pattern, _I64(PATTERN_ROW))) as (consecutive, other):
            with consecutive:
                first = b.inttoptr(b.extract_element(addresses, _I32(0)), _PTR)
                _masked(b, "store", ir.VoidType(), [data, first, _I32(1), lanes], f"{suffix}.p0")
            with other:
                pointers = b.inttoptr(addresses, _POINTERS)
                _masked(b, "scatter", ir.VoidType(), [data, pointers, _I32(1), lanes], f"{suffix}.v{WARP}p0")

    return define


def _mover(name: str, define: Callable[[ir.IRBuilder, list[Value]], None]) -> Any:
    @intrinsic
    def move(typingctx, row, scratch, offset, pattern, mask):
        build = _once(f"grader_emulator_{name}", [_I64] * 5, define)
        long = types.int64
        return types.void(long, long, long, long, long), build

    return move


gather_32 = _mover("gather_32", _define_gather(32))
gather_64 = _mover("gather_64", _define_gather(64))
scatter_32 = _mover("scatter_32", _define_scatter(32))
scatter_64 = _mover("scatter_64", _define_scatter(64))
"""``move(row, scratch, offset, pattern, mask)``: between a row and the host addresses ``scratch[lane] + offset``.

Where lanes of a store overlap, the highest lane wins.
"""
