"""How often a program runs to be timed: until its two fastest runs agree.

The modelled time of a program has what an interpreter computes between calls, in processor time. Other work on the
machine only makes that longer, so the fastest run counts, and a noisy one is repeated.
"""

from collections.abc import Iterable

_AGREEMENT = 1.03
"""Two runs agree if one takes at most so many times as long as the other."""

_MOST = 4
"""At most so many times the runs that are always made."""


def is_enough(seconds: Iterable[float], least: int) -> bool:
    """Whether runs that took ``seconds`` decide; ``least`` are always made, and one is enough where that is 1."""
    taken = sorted(seconds)
    if len(taken) < least:
        return False
    return least == 1 or len(taken) >= _MOST * least or taken[1] <= _AGREEMENT * taken[0]
