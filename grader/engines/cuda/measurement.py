"""One comparison from its first launch to its last pair."""

import random
import secrets
import time
from collections.abc import Callable, Sequence
from statistics import median

from grader.engines.cuda.batch import AVERAGED, BRIEF, batch_size, visits
from grader.engines.cuda.neighbours import Neighbours
from grader.engines.cuda.paired_timer import PairedTimer
from grader.engines.cuda.pairs import Measurements, Side, steady_pair
from grader.engines.cuda.sampling import sampled
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.run import Comparison, TimedPair

WATCHED = 3
"""One in so many batches is followed by one that is watched instead of timed."""

SLOW = 1.0
"""Seconds that a comparison may take before it is seen earlier whether its pairs decide."""

_MHZ = 1e6


def measured(
    duel: PairedTimer, kernels: TrustedKernels, targets: Sequence[float], most_seconds: float
) -> Comparison:
    """As many pairs of ``duel`` as ``targets`` need, after some that do not count: clocks rise, caches are filled.

    After ``most_seconds`` no further pair is begun; the first always is.

    Raises: as ``PairedTimer.pair``; ``InfrastructureError`` where the device was not ours alone, or its
    clock did not stay.
    """
    began = time.monotonic()

    def passed(seconds: float) -> Callable[[], bool]:
        return lambda: time.monotonic() - began > seconds

    launches = _warmed_up(duel)
    neighbours = Neighbours(kernels)
    clocks: list[float] = []

    def laps_elsewhere(order: tuple[Side, Side]) -> Measurements:
        duel.places.move_on()
        laps = duel.pair(order)
        clocks.extend(lap.clock for lap in laps)
        return laps

    def time_pair(order: tuple[Side, Side]) -> TimedPair | None:
        neighbours.listen_now_and_then()
        duel.places.begin_pair()
        visited = [laps_elsewhere(order) for _ in range(duel.places.group)]
        place = duel.places.number if launches < AVERAGED else None
        if launches > 1 and secrets.randbelow(WATCHED) == 0:
            duel.places.move_on()  # two batches in one place would tell which of them is watched
            duel.watch()
        return steady_pair(visited, launches, place)

    sample = sampled(
        time_pair, targets, random.SystemRandom(), is_slow=passed(SLOW), is_late=passed(most_seconds)
    )
    neighbours.check_quiet()
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
        launches=launches * duel.places.group,
        dropped=sample.dropped,
        clock=median(clocks),
    )


def _warmed_up(duel: PairedTimer) -> int:
    """Make pairs that do not count, and see in how many places each pair is to be made.

    Returns: how many launches are timed together.
    """
    order = Side.SUBMISSION, Side.BASELINE
    laps = duel.pair(order)
    if sum(lap.seconds for lap in laps) < BRIEF:
        laps = duel.pair(order)  # the first launches are slow, and must not decide
    launches = batch_size(min(lap.seconds for lap in laps), duel.places.nbytes)
    if launches > 1:
        duel.places.multiply(launches)
        duel.pair(order)
    duel.places.in_groups_of(visits(sum(lap.seconds for lap in laps), launches, duel.places.most))
    return launches
