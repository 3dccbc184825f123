"""Orders of blocks, warps and lanes, selected by a schedule seed."""

import math
import random
from dataclasses import dataclass, replace

from grader.engines.emulator.isa.cells import WARP

NATURAL_QUANTUM = 1024
"""Micro-operations of a warp's turn in the natural order."""

_LEAST_QUANTUM, _MOST_QUANTUM = 64, 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """``n`` becomes ``(first + n * stride) % count`` for blocks, and for the 32 lanes of an atomic.

    ``warps`` lists a block's warps as they take turns of ``quantum`` micro-operations.
    """

    first_block: int
    block_stride: int
    first_lane: int
    lane_stride: int
    warps: tuple[int, ...]
    quantum: int


def order_of(seed: int, launch: int, blocks: int, warps: int) -> Order:
    """The natural order for seed 0; for another seed an order that differs from it if there is more than one element.

    ``launch`` is the index of the launch in its plan, so that each launch has a different order.
    """
    if seed == 0:
        return Order(
            first_block=0,
            block_stride=1,
            first_lane=0,
            lane_stride=1,
            warps=tuple(range(warps)),
            quantum=NATURAL_QUANTUM,
        )
    draw = random.Random(f"{seed} {launch}")  # noqa: S311 - a reproducible order, no secret
    first_block, block_stride = _walk(draw, blocks)
    first_lane, lane_stride = _walk(draw, WARP)
    return Order(
        first_block=first_block,
        block_stride=block_stride,
        first_lane=first_lane,
        lane_stride=lane_stride,
        warps=_shuffled(draw, warps),
        quantum=draw.randrange(_LEAST_QUANTUM, _MOST_QUANTUM),
    )


def drawn_blocks(seed: int, launch: int, blocks: int, warps: int) -> Order:
    """The natural order, except that the blocks come in an order drawn with ``seed``."""
    first_block, block_stride = _walk(random.Random(f"{seed} {launch}"), blocks)  # noqa: S311 - no secret
    return replace(order_of(0, launch, blocks, warps), first_block=first_block, block_stride=block_stride)


def _walk(draw: random.Random, count: int) -> tuple[int, int]:
    """Start and stride that visit every number below ``count`` once, not in rising order from 0."""
    stride = draw.randrange(1, count) if count > 1 else 1
    while math.gcd(stride, count) != 1:
        stride = draw.randrange(1, count)
    first = draw.randrange(count)
    return (count - 1, count - 1) if (first, stride) == (0, 1) and count > 1 else (first, stride)


def _shuffled(draw: random.Random, count: int) -> tuple[int, ...]:
    order = list(range(count))
    draw.shuffle(order)
    return tuple(reversed(order)) if order == sorted(order) else tuple(order)
