"""Eight neighbouring words of a shadow at once, as LLVM vectors: what lanes in a row read or write."""

from typing import Any

from llvmlite import ir

from grader.engines.emulator.core.shadow_words import (
    FIRST_READER,
    SECOND_READER,
    SHADOW_KEPT,
    SHADOW_MORE,
    SHADOW_WRITE,
    STAMP_SHIFT,
    THREAD_SHIFT,
)
from grader.engines.emulator.isa.emit import Emit, Value, declare
from grader.engines.emulator.numba_api import intrinsic, types

ROW_LANES = 8
"""Lanes that are treated at once."""

_I1, _I8, _I64 = (ir.IntType(bits) for bits in (1, 8, 64))
_PTR = ir.PointerType()
_WORDS = ir.VectorType(_I64, ROW_LANES)
_THREADS = 1023


class _Row:
    """Builds operations on eight shadow words that begin at a host address."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self.b = builder
        self.splat = Emit(builder, ROW_LANES, None).splat

    def load(self, address: Value) -> Value:
        return self.b.load(self.b.inttoptr(address, _PTR), typ=_WORDS, align=8)

    def store(self, words: Value, address: Value) -> None:
        self.b.store(words, self.b.inttoptr(address, _PTR), align=8)

    def store_some(self, words: Value, address: Value, chosen: Value) -> None:
        arguments = [words, self.b.inttoptr(address, _PTR), ir.IntType(32)(8), chosen]
        name = f"llvm.masked.store.v{ROW_LANES}i64.p0"
        kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
        self.b.call(declare(self.b.module, name, kind), arguments)

    def masked(self, words: Value, bits: int) -> Value:
        return self.b.and_(words, self.splat(_I64(bits)))

    def stamps(self, words: Value) -> Value:
        return self.b.ashr(words, self.splat(_I64(STAMP_SHIFT)))

    def of_lanes(self, word: Value) -> Value:
        lanes = ir.Constant(_WORDS, [lane << THREAD_SHIFT for lane in range(ROW_LANES)])
        return self.b.add(self.splat(word), lanes)

    def any(self, chosen: Value) -> Value:
        return self.b.icmp_unsigned("!=", self.b.bitcast(chosen, _I8), _I8(0))


def _read(builder: ir.IRBuilder, args: list[Value]) -> Value:
    entry, plane, word, since, oldest, turn = args
    b, row = builder, _Row(builder)
    held = row.load(entry)
    stamps = row.stamps(held)
    outside = b.or_(
        b.icmp_signed("<", stamps, row.splat(oldest)), b.icmp_signed(">=", stamps, row.splat(since))
    )
    kinds = row.masked(held, SHADOW_WRITE | SHADOW_KEPT)
    refused = row.any(b.or_(outside, b.icmp_unsigned("!=", kinds, row.splat(_I64(SHADOW_WRITE)))))
    with b.if_then(b.not_(refused)):
        first_reader = b.add(entry, b.mul(plane, _I64(FIRST_READER)))
        second_reader = b.add(entry, b.mul(plane, _I64(SECOND_READER)))
        mine, first = row.of_lanes(word), row.load(first_reader)
        seen = row.stamps(first)
        threads = row.masked(b.xor(first, mine), _THREADS << THREAD_SHIFT)
        same = b.icmp_unsigned("==", threads, row.splat(_I64(0)))
        own = b.and_(same, b.icmp_signed(">=", seen, row.splat(turn)))
        fits = b.or_(own, b.icmp_signed("<", seen, row.splat(since)))
        row.store(b.select(fits, mine, first), first_reader)
        row.store_some(mine, second_reader, b.not_(fits))
        more = row.splat(_I64(SHADOW_MORE))
        with b.if_then(row.any(b.icmp_unsigned("==", b.and_(held, more), row.splat(_I64(0))))):
            row.store(b.or_(held, more), entry)
    return b.zext(b.not_(refused), _I64)


@intrinsic
def read_row(typingctx, entry, plane, word, since, oldest, turn):
    """Record that eight lanes read the eight words at ``entry``, if a barrier orders all behind their write.

    ``word`` is the access of the first lane. Returns: 1, or 0 if nothing is recorded.
    """

    def build(_context: Any, builder: ir.IRBuilder, _signature: Any, args: list[Value]) -> Value:
        return _read(builder, args)

    return types.int64(*[types.int64] * 6), build
