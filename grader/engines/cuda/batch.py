"""How many launches a pair has of either side: together one after the other, or each alone and somewhere else."""

import math

SHORT = 100e-6
"""Seconds from which a launch is timed alone: what events and a launch cost is below a fiftieth of it then."""

ENOUGH = 200e-6
"""Seconds that the launches of a batch take together, at least."""

MOST = 20
"""Launches in a batch, each with buffers of its own."""

BRIEF = 2e-3
"""Seconds up to which a launch of both sides may be repeated in a pair."""

VISITS = ((4, BRIEF / 5), (2, BRIEF))
"""In how many places a pair is made whose launches are timed alone, and below how many seconds for both sides."""

GROUPS = 12
"""Pairs that must be in different places, at least, where each is made in several."""

AVERAGED = 8
"""Launches from which on it is no matter in which places a batch lies: it has the mean of so many."""

ROOM = 2**30
"""Bytes that all buffers of a batch may take."""


def batch_size(seconds: float, nbytes: int) -> int:
    """How many launches that take ``seconds`` each, on ``nbytes`` of buffers each, are timed together."""
    if seconds >= SHORT:
        return 1
    return max(1, min(math.ceil(ENOUGH / seconds), MOST, ROOM // max(1, nbytes)))


def visits(seconds: float, launches: int, places: int) -> int:
    """In how many of ``places`` a pair is made whose two sides take ``seconds`` a launch, ``launches`` timed together.

    A batch's launches lie in places of their own. Of those that are timed alone, the mean of several differs less; but
    there must be groups enough of so many places.
    """
    if launches > 1:
        return 1
    return next((count for count, brief in VISITS if seconds < brief and places >= count * GROUPS), 1)
