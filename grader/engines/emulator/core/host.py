"""Raw access to host memory, and bit counts, as LLVM code.

The interpreter's state is too large to pass as Numba arrays (each is seven arguments), so functions take addresses
and use these instead. These functions check no bounds; ``core.memory`` does.
"""

from typing import Any

from llvmlite import ir

from grader.engines.emulator.isa.emit import Value, declare
from grader.engines.emulator.numba_api import intrinsic, types

_I1, _I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
_PTR = ir.PointerType()


def _loader(llvm_type: ir.Type, *, signed: bool) -> Any:
    """Loaded integers are sign- or zero-extended to 64 bits, so that all arithmetic uses one type."""

    @intrinsic
    def load(typingctx, address):
        def build(_context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
            value = builder.load(builder.inttoptr(args[0], _PTR), typ=llvm_type, align=1)
            return builder.sext(value, _I64) if signed else builder.zext(value, _I64)

        return types.int64(types.int64), build

    return load


def _float_loader(numba_type: Any, llvm_type: ir.Type) -> Any:
    @intrinsic
    def load(typingctx, address):
        def build(_context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
            return builder.load(builder.inttoptr(args[0], _PTR), typ=llvm_type, align=1)

        return numba_type(types.int64), build

    return load


def _storer(numba_type: Any) -> Any:
    @intrinsic
    def store(typingctx, address, value):
        def build(context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
            builder.store(args[1], builder.inttoptr(args[0], _PTR), align=1)
            return context.get_dummy_value()

        return types.void(types.int64, numba_type), build

    return store


load_i8 = _loader(_I8, signed=True)
load_u8 = _loader(_I8, signed=False)
load_i16 = _loader(_I16, signed=True)
load_u16 = _loader(_I16, signed=False)
load_i32 = _loader(_I32, signed=True)
load_u32 = _loader(_I32, signed=False)
load_i64 = _loader(_I64, signed=True)
load_f32 = _float_loader(types.float32, ir.FloatType())
load_f64 = _float_loader(types.float64, ir.DoubleType())
store_i8 = _storer(types.int8)
store_i16 = _storer(types.int16)
store_i32 = _storer(types.int32)
store_i64 = _storer(types.int64)
store_f32 = _storer(types.float32)
store_f64 = _storer(types.float64)


@intrinsic
def half_sum(typingctx, a, b):
    """The sum of two float16, all as bits. Rounding through float32 gives the same result as rounding once."""

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        half, single = ir.HalfType(), ir.FloatType()
        wide = [builder.fpext(builder.bitcast(builder.trunc(arg, _I16), half), single) for arg in args]
        total = builder.fptrunc(builder.fadd(*wide), half)
        return builder.zext(builder.bitcast(total, _I16), _I64)

    return types.int64(types.int64, types.int64), build


def _bit_counter(name: str, extra: list[Value]) -> Any:
    @intrinsic
    def count(typingctx, mask):
        def build(_context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
            arguments = [args[0], *extra]
            function_type = ir.FunctionType(_I64, [argument.type for argument in arguments])
            return builder.call(declare(builder.module, f"llvm.{name}.i64", function_type), arguments)

        return types.int64(types.int64), build

    return count


popcount = _bit_counter("ctpop", [])
first_lane = _bit_counter("cttz", [ir.Constant(_I1, 0)])


@intrinsic
def zero_bytes(typingctx, address, count):
    """Set ``count`` bytes at ``address`` to zero."""

    def build(context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        function = declare(
            builder.module,
            "llvm.memset.p0.i64",
            ir.FunctionType(ir.VoidType(), [_PTR, _I8, _I64, _I1]),
        )
        builder.call(function, [builder.inttoptr(args[0], _PTR), _I8(0), args[1], _I1(0)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), build
