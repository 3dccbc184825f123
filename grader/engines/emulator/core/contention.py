"""How often the lanes of an atomic meet at one address: the hardware serves those one after another."""

from typing import Any

from grader.engines.emulator.core.host import load_i64, popcount
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.lanes import PATTERN_ROW, PATTERN_UNIFORM, SCRATCH_PATTERN
from grader.engines.emulator.core.views import traffic_at


@compiled
def count_passes(ctx: Any, pc: int, lanes: int) -> None:
    """Add the most of ``lanes`` that share an address, which lie in the scratch area, to the atomic's passes."""
    pattern = load_i64(ctx.scratch + SCRATCH_PATTERN)
    most = 1
    if pattern == PATTERN_UNIFORM:
        most = popcount(lanes)
    elif pattern != PATTERN_ROW:
        for lane in range(32):
            if not (lanes >> lane) & 1:
                continue
            met = 0
            for other in range(lane, 32):
                if (lanes >> other) & 1:
                    met += load_i64(ctx.scratch + 8 * lane) == load_i64(ctx.scratch + 8 * other)
            most = max(most, met)
    traffic_at(ctx.traffic, pc).passes += most
