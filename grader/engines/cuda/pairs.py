"""In which order baseline and submission are timed."""

import random
from enum import IntEnum


class Side(IntEnum):
    """The two pieces of work of a comparison."""

    BASELINE = 0
    SUBMISSION = 1


def pair_plan(count: int, rng: random.Random) -> list[tuple[Side, Side]]:
    """``count`` pairs, half of them baseline first, in random order: drift and cache state favour neither side.

    With an odd count the last of the two orders is drawn as well.
    """
    orders = [(Side.BASELINE, Side.SUBMISSION), (Side.SUBMISSION, Side.BASELINE)]
    rng.shuffle(orders)
    plan = [orders[index % 2] for index in range(count)]
    rng.shuffle(plan)
    return plan
