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

MANY = 24
"""Places from which on a pair may be made in two of them."""

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

    A batch's launches lie in places of their own. Of those that are timed alone, the mean of two differs less; but the
    places in twos must not be few.
    """
    return 2 if launches == 1 and seconds < BRIEF and places >= MANY else 1
