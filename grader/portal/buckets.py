"""Token buckets: how often one visitor may do what is costly or guessable."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_KEPT = 10_000
"""Buckets beyond this number are forgotten, the least recently used first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """``burst`` uses at once, and after them one in each ``seconds``."""

    name: str
    burst: int
    seconds: float


SIGN_IN = Rate(name="sign in", burst=400, seconds=1.0)
"""Tries to sign in from one address, which a whole lecture hall may share."""

PASSWORD = Rate(name="password of one person", burst=10, seconds=30.0)
"""Guesses at the password of one person, from wherever they come."""

DEVICE_POLL = Rate(name="device poll", burst=60, seconds=1.0)
"""Programs that ask whether their code is confirmed; a whole lab room may share an address."""

UPLOAD = Rate(name="upload", burst=20, seconds=3.0)
"""Submissions."""


class Buckets:
    """One bucket for each rate and visitor, in this process. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()

    def wait(self, rate: Rate, visitor: str) -> float:
        """Take one use. Returns: 0, or the seconds until there is one; then nothing was taken."""
        now = self._clock()
        with self._lock:
            # A bucket is known by the time at which it will be full again.
            full_at = max(now, self._full_at.get((rate.name, visitor), now)) + rate.seconds
            missing = full_at - now - rate.burst * rate.seconds
            if missing > 0:
                return missing
            self._full_at[rate.name, visitor] = full_at
            self._full_at.move_to_end((rate.name, visitor))
            if len(self._full_at) > _KEPT:
                self._full_at.popitem(last=False)
        return 0.0
