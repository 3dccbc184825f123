"""How many launches are timed together: one that lasts long enough, or several one after the other."""

import math

SHORT = 100e-6
"""Seconds from which a launch is timed alone: what events and a launch cost is below a fiftieth of it then."""

ENOUGH = 200e-6
"""Seconds that the launches of a batch take together, at least."""

MOST = 20
"""Launches in a batch, each with buffers of its own."""

ROOM = 2**30
"""Bytes that all buffers of a batch may take."""


def batch_size(seconds: float, nbytes: int) -> int:
    """How many launches that take ``seconds`` each, on ``nbytes`` of buffers each, are timed together."""
    if seconds >= SHORT:
        return 1
    return max(1, min(math.ceil(ENOUGH / seconds), MOST, ROOM // max(1, nbytes)))
