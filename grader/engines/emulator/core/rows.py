"""Host addresses and values of operands."""

from typing import Any

from grader.engines.emulator.core.host import first_lane, load_i32
from grader.engines.emulator.core.jit import compiled


@compiled
def operand(ctx: Any, frame: int, offset: int) -> int:
    """The host address of an operand's row: in the frame, or among the constants where ``offset`` is negative."""
    return frame + offset if offset >= 0 else ctx.constants + ~offset


@compiled
def uniform(ctx: Any, frame: int, offset: int, mask: int) -> int:
    """A 32-bit operand that is equal in all active lanes, read from the first of them."""
    return load_i32(operand(ctx, frame, offset) + 4 * first_lane(mask))
