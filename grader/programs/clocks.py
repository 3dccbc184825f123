"""Vector clocks: how far everything that is known to be done reaches in each stream.

Work has a position in its stream. One piece of work is ordered before another if the other's clock has reached its
position (Lamport; Fidge; Mattern).
"""

Clock = dict[int, int]
"""The last known position by the key of the stream. Every clock is at position 0 of the streams that it lacks."""

HOST = -1
"""The key under which the host's own memory accesses have positions."""


def joined(first: Clock, *others: Clock) -> Clock:
    """A clock that knows what any of several clocks knows."""
    made = dict(first)
    for other in others:
        for key, position in other.items():
            if position > made.get(key, 0):
                made[key] = position
    return made
