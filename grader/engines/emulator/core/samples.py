"""A few accesses of every instruction in full, so that advice can be computed from the addresses seen."""

from typing import Any

from grader.engines.emulator.core.host import load_i64
from grader.engines.emulator.core.jit import compiled
from grader.engines.emulator.core.records import MAX_SAMPLES
from grader.engines.emulator.core.views import sample_at, traffic_at

_FIRST = 2
_COSTLY = 4


@compiled
def remember(ctx: Any, pc: int, size: int, lanes: int) -> None:
    """Keep the access just counted, if it is among the first or among the first that cost more than they need."""
    site = traffic_at(ctx.traffic, pc)
    cost, ideal = site.transactions - site.seen, site.ideal - site.seen_ideal
    site.seen = site.transactions
    site.seen_ideal = site.ideal
    costly = cost > ideal and site.costly_samples < _COSTLY
    if (site.samples >= _FIRST and not costly) or ctx.sample_count >= MAX_SAMPLES:
        return
    site.samples += 1
    site.costly_samples += costly
    sample = sample_at(ctx.samples, ctx.sample_count)
    ctx.sample_count += 1
    sample.pc = pc
    sample.size = size
    sample.lanes = lanes
    sample.cost = cost
    for lane in range(32):
        sample.addresses[lane] = load_i64(ctx.scratch + 8 * lane)
