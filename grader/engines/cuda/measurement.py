"""One comparison from its first launch to its last pair."""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from statistics import median

from grader.engines.cuda.batch import batch_size
from grader.engines.cuda.duel import Duel
from grader.engines.cuda.neighbours import Neighbours
from grader.engines.cuda.pairs import Side, steady_pair
from grader.engines.cuda.sampling import sampled
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.run import Comparison, TimedPair

WATCHED = 3
"""One in so many batches is followed by one that is watched instead of timed."""

GLANCED = 8
"""After one in so many pairs the originals of fixed inputs are looked at, of which both sides get what is there.

Whoever changes them for half of 30 pairs, and puts them back for the last look, is found out six times in seven."""

SLOW = 1.0
"""Seconds that a comparison may take before it is seen earlier whether its pairs decide."""

_MHZ = 1e6


def measured(
    duel: Duel, kernels: TrustedKernels, targets: Sequence[float], most_seconds: float
) -> Comparison:
    """As many pairs of ``duel`` as ``targets`` need, after some that do not count: clocks rise, caches are filled.

    After ``most_seconds`` no further pair is begun; the first always is.

    Raises: as ``Duel.pair``; ``InfrastructureError`` where the device was not ours alone, or its clock did not stay.
    """
    began = time.monotonic()

    def passed(seconds: float) -> Callable[[], bool]:
        return lambda: time.monotonic() - began > seconds

    laps = duel.pair((Side.SUBMISSION, Side.BASELINE))
    launches = batch_size(min(lap.seconds for lap in laps), duel.places.nbytes)
    if launches > 1:
        duel.places.multiply(launches)
        duel.pair((Side.SUBMISSION, Side.BASELINE))
    neighbours = Neighbours(kernels)
    clocks: list[float] = []

    def time_pair(order: tuple[Side, Side]) -> TimedPair | None:
        neighbours.listen_now_and_then()
        duel.places.move_on()
        laps = duel.pair(order)
        if launches > 1 and secrets.randbelow(WATCHED) == 0:
            duel.watch()
        if secrets.randbelow(GLANCED) == 0:
            duel.refuse_changed_originals(fixed_only=True)
        clocks.extend(lap.clock for lap in laps)
        return steady_pair(laps, launches)

    sample = sampled(
        time_pair, targets, random.SystemRandom(), is_slow=passed(SLOW), is_late=passed(most_seconds)
    )
    neighbours.refuse_noise()
    if not sample.is_steady:
        timed = sample.dropped + len(sample.pairs)
        slowest, fastest = round(min(clocks) / _MHZ), round(max(clocks) / _MHZ)
        msg = (
            f"the GPU's clock changed within {sample.dropped} of {timed} pairs of launches, "
            f"which ran at {slowest} to {fastest} MHz; no time counts"
        )
        raise InfrastructureError(msg)
    return Comparison(
        pairs=sample.pairs,
        modelled=False,
        launches=launches,
        dropped=sample.dropped,
        clock=median(clocks),
    )
