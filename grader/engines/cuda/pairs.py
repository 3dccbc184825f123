"""In which order baseline and submission are timed, and what a pair of laps is worth."""

import math
import random
from collections.abc import Sequence
from enum import IntEnum
from statistics import fmean

from grader.engines.cuda.stopwatch import Measurement
from grader.model.run import TimedPair

DRIFT = 0.02
"""By how much the device's clock may differ between the two laps of a pair."""


class Side(IntEnum):
    """The two pieces of work of a comparison."""

    BASELINE = 0
    SUBMISSION = 1


Measurements = tuple[Measurement, Measurement]
"""The baseline's and the submission's in one place, whichever came first."""


def pair_plan(count: int, rng: random.Random) -> list[tuple[Side, Side]]:
    """``count`` pairs, half of them baseline first, in random order: drift and cache state favour neither side.

    With an odd count the last of the two orders is drawn as well.
    """
    orders = [(Side.BASELINE, Side.SUBMISSION), (Side.SUBMISSION, Side.BASELINE)]
    rng.shuffle(orders)
    plan = [orders[index % 2] for index in range(count)]
    rng.shuffle(plan)
    return plan


def steady_pair(visits: Sequence[Measurements], launches: int, place: int | None) -> TimedPair | None:
    """Seconds of one of ``launches`` on either side, the mean of all ``visits``, the last of which was to ``place``.

    ``None`` where the device's clock changed from one lap to the other of any.
    """
    if any(abs(math.log(baseline.clock / submission.clock)) > DRIFT for baseline, submission in visits):
        return None
    baseline, submission = (fmean(lap.seconds for lap in laps) for laps in zip(*visits, strict=True))
    return TimedPair(baseline=baseline / launches, submission=submission / launches, place=place)
