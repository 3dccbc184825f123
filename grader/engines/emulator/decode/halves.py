"""Arithmetic in half precision, alone and in pairs.

Sums, differences and products are computed in float32 and rounded once more, which for these is the same as rounding
once: float32 has more than twice the bits. ``fma`` needs float64, rounded to odd on the way.
"""

from collections.abc import Callable

from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.types import TYPES
from grader.engines.emulator.isa.cells import Cell
from grader.engines.emulator.ptx.syntax import Instruction

_F16, _WORD = TYPES["f16"], TYPES["b32"]

Compute = Callable[[Assembler, list[int], int, bool], None]
"""``compute(asm, rows, target, saturate)`` emits one operation on rows of halves."""


def widened(asm: Assembler, row: int) -> int:
    """A row of halves as float32."""
    wide = asm.temporary(Cell.F32)
    asm.emit("fext.f32.f16", wide, row)
    return wide


def flushed(asm: Assembler, row: int) -> int:
    """A row of halves without subnormals."""
    result = asm.temporary(Cell.F16)
    asm.emit("ftz.f16", result, row)
    return result


def parted(asm: Assembler, row: int) -> tuple[int, int]:
    """The low and the high halves of a row of words."""
    low, high, shifted = asm.temporary(Cell.I16), asm.temporary(Cell.I16), asm.temporary(Cell.I32)
    asm.emit("trunc.i16.i32", low, row)
    asm.emit("shr.i32", shifted, row, asm.constants.number(16, 4))
    asm.emit("trunc.i16.i32", high, shifted)
    return low, high


def joined(asm: Assembler, target: int, low: int, high: int) -> None:
    """Put two rows of 16 bits into the words of ``target``."""
    upper, lower = asm.temporary(Cell.I32), asm.temporary(Cell.I32)
    asm.emit("zext.i32.i16", upper, high)
    asm.emit("shl.i32", upper, upper, asm.constants.number(16, 4))
    asm.emit("zext.i32.i16", lower, low)
    asm.emit("or.i32", target, upper, lower)


def _operation(operands: int, compute: Compute, *modifiers: str) -> Handler:
    """An operation on halves or pairs of them that takes ``modifiers`` (``ftz`` and ``sat`` have an effect)."""

    def decode(asm: Assembler, ins: Instruction) -> None:
        middle = set(ins.opcode[1:-1])
        if middle - set(modifiers):
            raise UnsupportedError(ins.text)
        pair = ins.opcode[-1] == "f16x2"
        type_ = _WORD if pair else _F16
        rows = [asm.source(text, type_) for text in ins.operands[1 : operands + 1]]
        target = asm.destination(ins.operands[0], type_)
        if not pair:
            _one(asm, compute, rows, target, middle)
        else:
            results = []
            for halves in zip(*(parted(asm, row) for row in rows), strict=True):
                results.append(asm.temporary(Cell.F16))
                _one(asm, compute, list(halves), results[-1], middle)
            joined(asm, target, *results)
        asm.settle(ins.operands[0], type_, target)

    return decode


def _one(asm: Assembler, compute: Compute, rows: list[int], target: int, modifiers: set[str]) -> None:
    flush = "ftz" in modifiers
    compute(asm, [flushed(asm, row) for row in rows] if flush else rows, target, "sat" in modifiers)
    if flush:
        asm.emit("ftz.f16", target, target)


def _through_single(name: str) -> Compute:
    def compute(asm: Assembler, rows: list[int], target: int, saturate: bool) -> None:  # noqa: FBT001 - see Compute
        result = asm.temporary(Cell.F32)
        asm.emit(f"{name}.f32", result, *(widened(asm, row) for row in rows))
        if saturate:
            asm.emit("sat.f32", result, result)
        asm.emit("fround.f16.f32", target, result)

    return compute


def _fused(asm: Assembler, rows: list[int], target: int, saturate: bool) -> None:  # noqa: FBT001 - see Compute
    a, b, c = (asm.temporary(Cell.F64) for _ in rows)
    for wide, row in zip((a, b, c), rows, strict=True):
        asm.emit("fext.f64.f32", wide, widened(asm, row))
    result = asm.temporary(Cell.F32)
    asm.emit("fma.f64", a, a, b, c)
    asm.emit("fodd.f32.f64", result, a)
    if saturate:
        asm.emit("sat.f32", result, result)
    asm.emit("fround.f16.f32", target, result)


def _on_bits(operation: str, mask: int) -> Compute:
    def compute(asm: Assembler, rows: list[int], target: int, _saturate: bool) -> None:  # noqa: FBT001 - see Compute
        asm.emit(f"{operation}.i16", target, rows[0], asm.constants.number(mask, 2))

    return compute


HALVES: dict[str, Handler] = {
    **{name: _operation(2, _through_single(name), "rn", "ftz", "sat") for name in ("add", "sub", "mul")},
    "fma": _operation(3, _fused, "rn", "ftz", "sat"),
    "neg": _operation(1, _on_bits("xor", 0x8000), "ftz"),
    "abs": _operation(1, _on_bits("and", 0x7FFF), "ftz"),
    **{name: _operation(1, _through_single(name), "approx") for name in ("ex2", "tanh")},
}
"""Decoders by base."""
