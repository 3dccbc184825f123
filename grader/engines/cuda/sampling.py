"""How many pairs are timed: until they decide what depends on them."""

import random
from collections.abc import Callable, Sequence

from grader.engines.cuda.pairs import Side, pair_plan
from grader.model.confidence import LOOKS, is_enough
from grader.model.run import TimedPair

Timed = Callable[[tuple[Side, Side]], TimedPair]


def sampled(
    time_pair: Timed, targets: Sequence[float], is_late: Callable[[], bool], rng: random.Random
) -> tuple[TimedPair, ...]:
    """Pairs as ``time_pair`` gives them in an order, at least one.

    No further one is begun once they are enough for ``targets``, once there are as many as the last look wants, or
    once ``is_late``. Half of those before each look have the baseline first.
    """
    pairs: list[TimedPair] = []
    for look in LOOKS:
        for order in pair_plan(look - len(pairs), rng):
            if pairs and is_late():
                return tuple(pairs)
            pairs.append(time_pair(order))
        if is_enough(pairs, targets):
            break
    return tuple(pairs)
