"""How many pairs are timed: until they decide what depends on them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.engines.cuda.pairs import Side, pair_plan
from grader.model.confidence import EARLY_LOOK, LOOKS, is_enough
from grader.model.run import TimedPair

Timed = Callable[[tuple[Side, Side]], TimedPair | None]


@dataclass(frozen=True, slots=True)
class Sample:
    """The pairs that count, and how many did not."""

    pairs: tuple[TimedPair, ...]
    dropped: int

    @property
    def is_steady(self) -> bool:
        """Whether most of what was timed counts."""
        return len(self.pairs) > self.dropped


def sampled(
    time_pair: Timed,
    targets: Sequence[float],
    rng: random.Random,
    *,
    is_slow: Callable[[], bool],
    is_late: Callable[[], bool],
) -> Sample:
    """Pairs as ``time_pair`` gives them in an order; for ``None`` it is asked again in the same order.

    No further one is begun once they are enough for ``targets`` at a look (at the early one only if ``is_slow``), once
    there are as many as the last look wants, once ``is_late``, or once as many as ``LOOKS`` want at first were dropped
    and most of all. One is begun in any case. Half of those before each look have the baseline first.
    """
    pairs: list[TimedPair] = []
    dropped = 0
    for look in (EARLY_LOOK, *LOOKS):
        for order in pair_plan(look - len(pairs), rng):
            pair = None
            while pair is None:
                if (pairs or dropped) and (is_late() or dropped >= max(LOOKS[0], len(pairs))):
                    return Sample(tuple(pairs), dropped)
                pair = time_pair(order)
                dropped += pair is None
            pairs.append(pair)
        if (look != EARLY_LOOK or is_slow()) and is_enough(pairs, targets):
            break
    return Sample(tuple(pairs), dropped)
