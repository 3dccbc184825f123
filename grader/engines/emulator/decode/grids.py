"""Barriers of the whole grid, as Numba calls them. CUDA C's are atomics on a workspace (see ``decode.moving``)."""

from collections.abc import Callable

from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.decode.assembler import Assembler
from grader.engines.emulator.decode.functions import Call
from grader.engines.emulator.decode.memory import store_variable
from grader.engines.emulator.decode.types import TYPES

_HANDLE = 1


def _handle(asm: Assembler, call: Call) -> None:
    """Any handle that is not null: there is one grid."""
    for name in call.returns:
        store_variable(asm, name, TYPES["b64"], asm.constants.number(_HANDLE, 8))


def _synchronize(asm: Assembler, call: Call) -> None:
    """Every thread of the grid waits for all others. Answers 0, for success."""
    asm.emit_fields({"op": int(Op.GRID_BARRIER)})
    for name in call.returns:
        store_variable(asm, name, TYPES["b32"], asm.constants.number(0, 4))


GRID_CALLS: dict[str, Callable[[Assembler, Call], None]] = {
    "cudaCGGetIntrinsicHandle": _handle,
    "cudaCGSynchronize": _synchronize,
}
"""How each of ``functions.GRID_FUNCTIONS`` is carried out."""
