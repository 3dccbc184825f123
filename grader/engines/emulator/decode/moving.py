"""Decode ``mov``: registers, addresses, special registers, packing and unpacking of vectors."""

from dataclasses import dataclass

import numpy as np

from grader.engines.emulator.core.addresses import GRID_WINDOW, WINDOW_BITS
from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.decode.arithmetic import Handler, only, type_of
from grader.engines.emulator.decode.assembler import Assembler, vector_elements
from grader.engines.emulator.decode.program import Program, UnsupportedError
from grader.engines.emulator.decode.types import TYPES, PtxType
from grader.engines.emulator.ptx.syntax import Instruction

THREAD_ROWS = {"%tid.x": 0, "%tid.y": 1, "%tid.z": 2}
"""Special registers that differ between the warps of a block, with their row in a warp's table."""

_WARP_ROW = 3
"""The row of that table with the warp's index in its block."""

_FIRST_WARP = "first_warp"
"""The place of a block's first warp on its multiprocessor."""

BLOCK_ROWS = ("ctaid.x", "ctaid.y", "ctaid.z", "smid", _FIRST_WARP)
"""Launch values that change with the block."""

_LAUNCH = {
    *(f"%{name}.{axis}" for name in ("ntid", "nctaid", "ctaid") for axis in "xyz"),
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%dynamic_smem_size",
    "%total_smem_size",
    "%aggr_smem_size",
}
_LANES = {
    "%laneid": list(range(32)),
    "%lanemask_eq": [1 << lane for lane in range(32)],
    "%lanemask_lt": [(1 << lane) - 1 for lane in range(32)],
    "%lanemask_le": [(2 << lane) - 1 for lane in range(32)],
    "%lanemask_gt": [0xFFFFFFFF & ~((2 << lane) - 1) for lane in range(32)],
    "%lanemask_ge": [0xFFFFFFFF & ~((1 << lane) - 1) for lane in range(32)],
}


@dataclass(frozen=True, slots=True)
class _Clock:
    """A counter of cycles, or of nanoseconds (``timer``): its bytes, and the bits of its lower part to drop."""

    cell: int
    drop: int = 0
    timer: bool = False


_CLOCKS = {
    "%clock": _Clock(4),
    "%clock64": _Clock(8),
    "%clock_hi": _Clock(4, drop=32),
    "%globaltimer": _Clock(8, timer=True),
    "%globaltimer_lo": _Clock(4, timer=True),
    "%globaltimer_hi": _Clock(4, drop=32, timer=True),
}
_WORKSPACE = (GRID_WINDOW << WINDOW_BITS) + (1 << (WINDOW_BITS - 1))
_ENVIRONMENT = {"%envreg1": _WORKSPACE >> 32, "%envreg2": _WORKSPACE & 0xFFFFFFFF}
"""The address of the workspace of CUDA C's ``this_grid()``, as upper and lower half."""

_WORD = TYPES["b32"]


def uses_workspace(program: Program) -> bool:
    """Whether a program reads the address of the grid workspace, as programs with grid barriers do."""
    return _ENVIRONMENT["%envreg1"] in np.frombuffer(program.constants, np.int32)


def _mov(asm: Assembler, ins: Instruction) -> None:
    only(ins)
    type_ = type_of(ins)
    target, source = ins.operands
    if target.startswith("{"):
        _unpack(asm, vector_elements(target), source, type_)
    elif source.startswith("{"):
        _pack(asm, target, vector_elements(source), type_)
    elif source.startswith("%") and not asm.is_register(source):
        _special(asm, target, source)
    else:
        row = asm.source(source, type_)
        into = asm.destination(target, type_)
        asm.emit(f"mov.{type_.token if type_.name == 'pred' else type_.integer.token}", into, row)
        asm.settle(target, type_, into)


def _pack(asm: Assembler, target: str, elements: tuple[str, ...], type_: PtxType) -> None:
    """The first element becomes the lowest bits."""
    width = type_.bits // len(elements)
    element = TYPES.get(f"b{width}")
    if element is None or width < 16:
        raise UnsupportedError(target, code="unsupported-operand")
    packed = asm.temporary(type_.integer)
    piece = asm.temporary(type_.integer)
    for index, text in enumerate(elements):
        row = asm.source(text, element)
        into = packed if index == 0 else piece
        asm.emit(f"zext.i{type_.bits}.i{width}", into, row)
        if index:
            asm.emit(f"shl.i{type_.bits}", piece, piece, asm.constants.number(index * width, 4))
            asm.emit(f"or.i{type_.bits}", packed, packed, piece)
    into = asm.destination(target, type_)
    asm.emit(f"mov.i{type_.bits}", into, packed)
    asm.settle(target, type_, into)


def _unpack(asm: Assembler, elements: tuple[str, ...], source: str, type_: PtxType) -> None:
    width = type_.bits // len(elements)
    element = TYPES.get(f"b{width}")
    if element is None or width < 16:
        raise UnsupportedError(source, code="unsupported-operand")
    row = asm.source(source, type_)
    kept = asm.temporary(type_.integer)
    asm.emit(f"mov.i{type_.bits}", kept, row)
    shifted = asm.temporary(type_.integer)
    for index, text in enumerate(elements):
        if text == "_":
            continue
        piece = kept
        if index:
            asm.emit(f"shr.i{type_.bits}", shifted, kept, asm.constants.number(index * width, 4))
            piece = shifted
        into = asm.destination(text, element)
        asm.emit(f"trunc.i{width}.i{type_.bits}", into, piece)
        asm.settle(text, element, into)


def _special(asm: Assembler, target: str, name: str) -> None:
    clock = _CLOCKS.get(name)
    own = TYPES["b64" if clock and clock.cell == 8 else "b32"]
    into = asm.destination(target, own)
    if name in THREAD_ROWS:
        asm.emit_fields({"op": Op.THREAD_ROW, "d": into, "a": ~(THREAD_ROWS[name] * 128)})
    elif name == "%warpid":
        asm.emit_fields({"op": Op.THREAD_ROW, "d": into, "a": ~(_WARP_ROW * 128)})
        asm.emit("add.i32", into, into, asm.constants.launch_value(_FIRST_WARP))
    elif name in _LAUNCH:
        asm.emit("mov.i32", into, asm.constants.launch_value(name[1:]))
    elif name in _ENVIRONMENT:
        asm.emit("mov.i32", into, asm.constants.number(_ENVIRONMENT[name], 4))
    elif name in _LANES:
        asm.emit("mov.i32", into, asm.constants.lanes(_LANES[name]))
    elif clock:
        fields = {"op": Op.CLOCK, "d": into, "cell": clock.cell, "imm": clock.drop, "count": int(clock.timer)}
        asm.emit_fields(fields)
    else:
        raise UnsupportedError(name, code="unsupported-special-register")
    asm.settle(target, own, into)


MOVING: dict[str, Handler] = {"mov": _mov}
"""Decoders by the base of the opcode."""
