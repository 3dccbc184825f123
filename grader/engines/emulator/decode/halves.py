"""Decode arithmetic in half precision, on single halves and on pairs."""

from collections.abc import Callable

from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import Unit, UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

_F16, _WORD = TYPES["f16"], TYPES["b32"]
_PAIR = "f16x2"


def widen(asm: Assembler, row: int) -> int:
    """Convert a row of halves to float32."""
    wide = asm.temporary(Cell.F32)
    asm.emit("fext.f32.f16", wide, row)
    return wide


def split_halves(asm: Assembler, row: int) -> tuple[int, int]:
    """Split a row of words into a row of low halves and one of high halves."""
    low, high, shifted = asm.temporary(Cell.I16), asm.temporary(Cell.I16), asm.temporary(Cell.I32)
    asm.emit("trunc.i16.i32", low, row)
    asm.emit("shr.i32", shifted, row, asm.constants.number(16, 4))
    asm.emit("trunc.i16.i32", high, shifted)
    return low, high


def join_halves(asm: Assembler, target: int, low: int, high: int) -> None:
    """Put two rows of 16 bits into the words of ``target``."""
    upper, lower = asm.temporary(Cell.I32), asm.temporary(Cell.I32)
    asm.emit("zext.i32.i16", upper, high)
    asm.emit("shl.i32", upper, upper, asm.constants.number(16, 4))
    asm.emit("zext.i32.i16", lower, low)
    asm.emit("or.i32", target, upper, lower)


def _arithmetic(name: str, operands: int) -> Handler:
    """A decoder of an operation that rounds to nearest."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        _decode(
            asm,
            ins,
            operands,
            {"rn", "ftz", "sat"},
            lambda target, rows, t: asm.emit(f"{name}.{t}", target, *rows),
        )

    return decode


def _on_bits(operation: str, mask: int) -> Handler:
    """A decoder of an operation on the sign bits; ``mask`` is for one half."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        def apply(target: int, rows: list[int], t: str) -> None:
            if t == _PAIR:
                asm.emit(f"{operation}.i32", target, *rows, asm.constants.number(mask * 0x10001, 4))
            else:
                asm.emit(f"{operation}.i16", target, *rows, asm.constants.number(mask, 2))

        _decode(asm, ins, 1, {"ftz"}, apply)

    return decode


def _approximate(name: str) -> Handler:
    """A decoder of a float32 function that rounds its result to half precision."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        def one(target: int, row: int) -> None:
            wide = widen(asm, row)
            asm.emit(f"{name}.f32", wide, wide)
            asm.emit("fround.f16.f32", target, wide)

        def apply(target: int, rows: list[int], t: str) -> None:
            if t != _PAIR:
                one(target, rows[0])
                return
            results = []
            for half in split_halves(asm, rows[0]):
                results.append(asm.temporary(Cell.F16))
                one(results[-1], half)
            join_halves(asm, target, *results)

        _decode(asm, ins, 1, {"approx"}, apply)

    return decode


def _decode(
    asm: Assembler,
    ins: Instruction,
    operands: int,
    modifiers: set[str],
    apply: Callable[[int, list[int], str], None],
) -> None:
    """Decode the common parts. ``apply(target, rows, type)`` emits the operation between flushing and clamping."""
    middle, t = set(ins.opcode[1:-1]), ins.opcode[-1]
    if middle - modifiers:
        raise UnsupportedError(ins.text)
    asm.unit = Unit.FP32
    type_ = _WORD if t == _PAIR else _F16
    rows = [asm.source(text, type_) for text in ins.operands[1 : operands + 1]]
    flush = "ftz" in middle
    if flush:
        flushed = [asm.temporary(type_.integer) for _ in rows]
        for into, row in zip(flushed, rows, strict=True):
            asm.emit(f"ftz.{t}", into, row)
        rows = flushed
    target = asm.destination(ins.operands[0], type_)
    apply(target, rows, t)
    if flush:
        asm.emit(f"ftz.{t}", target, target)
    if "sat" in middle:
        asm.emit(f"sat.{t}", target, target)
    asm.settle(ins.operands[0], type_, target)


HALVES: dict[str, Handler] = {
    **{name: _arithmetic(name, 2) for name in ("add", "sub", "mul")},
    "fma": _arithmetic("fma", 3),
    "neg": _on_bits("xor", 0x8000),
    "abs": _on_bits("and", 0x7FFF),
    "ex2": _approximate("ex2"),
    "tanh": _approximate("tanh"),
}
"""Decoders by the base of the opcode."""
