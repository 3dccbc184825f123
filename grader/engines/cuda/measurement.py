"""One comparison from warm-up to the last pair: batch size, order, sampling and stopping criterion."""

import math
import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from grader.engines.cuda.paired_timer import MeasurementPair, PairedTimer, Side
from grader.engines.cuda.timing import ContentionProbe
from grader.engines.cuda.trusted import TrustedKernels
from grader.errors import InfrastructureError
from grader.model.confidence import CHECKPOINTS, EARLY_CHECKPOINT, is_enough
from grader.model.run import Comparison, TimedPair

SINGLE_LAUNCH_SECONDS = 100e-6
"""From this duration on a launch is timed alone: the cost of events and of the launch is then below a fiftieth."""

MIN_BATCH_SECONDS = 200e-6
"""Least duration of a batch."""

MAX_BATCH = 20
"""Most launches in a batch, each with buffers of its own."""

MAX_BATCH_BYTES = 2**30
"""Most memory for all buffers of a batch."""

AVERAGING_BATCH = 8
"""From this batch size on the mean over a batch hides the effect of the buffer set."""

MAX_REPEATED_SECONDS = 2e-3
"""A pair repeats its launches in several buffer sets only if one launch of both sides takes less than this."""

SETS_PER_PAIR = ((4, MAX_REPEATED_SECONDS / 5), (2, MAX_REPEATED_SECONDS))
"""Buffer sets per pair for launches timed alone, each with the duration of both sides below which it applies."""

MIN_GROUPS = 12
"""Least number of disjoint groups of buffer sets for pairs that use several sets."""

MAX_CLOCK_DRIFT = 0.02
"""Most that the device's clock may differ (natural logarithm) between the two measurements of a pair."""

AUDIT_INTERVAL = 3
"""On average, one batch in this many is followed by an audited batch, which is not timed."""

EARLY_LOOK_SECONDS = 1.0
"""A comparison that takes longer than this may stop at the early look."""

_MHZ = 1e6

TimePair = Callable[[tuple[Side, Side]], TimedPair | None]
"""Times a pair in an order; ``None`` where the pair does not count."""


def batch_size(seconds: float, nbytes: int) -> int:
    """The number of launches of ``seconds`` each, on ``nbytes`` of buffers each, that are timed together."""
    if seconds >= SINGLE_LAUNCH_SECONDS:
        return 1
    return max(1, min(math.ceil(MIN_BATCH_SECONDS / seconds), MAX_BATCH, MAX_BATCH_BYTES // max(1, nbytes)))


def sets_per_pair(seconds: float, launches: int, available: int) -> int:
    """In how many of the ``available`` buffer sets each pair runs.

    ``seconds`` is the duration of one launch of both sides, ``launches`` the batch size. A batch's launches have
    buffers of their own, so one set is enough. For launches timed alone, the mean over several sets varies less; but
    there must be at least ``MIN_GROUPS`` groups of sets.
    """
    if launches > 1:
        return 1
    return next(
        (count for count, limit in SETS_PER_PAIR if seconds < limit and available >= count * MIN_GROUPS), 1
    )


def pair_plan(count: int, rng: random.Random) -> list[tuple[Side, Side]]:
    """``count`` orders, half of them baseline first, shuffled: drift and cache state favour neither side.

    With an odd count the surplus order is random as well.
    """
    orders = [(Side.BASELINE, Side.SUBMISSION), (Side.SUBMISSION, Side.BASELINE)]
    rng.shuffle(orders)
    plan = [orders[index % 2] for index in range(count)]
    rng.shuffle(plan)
    return plan


def steady_pair(
    measured: Sequence[MeasurementPair], launches: int, buffer_set: int | None
) -> TimedPair | None:
    """Seconds per launch of either side: the mean over ``measured``, one entry per buffer set, the last ``buffer_set``.

    Each measurement has ``launches`` launches. ``None`` where the device's clock changed between the two measurements
    of any entry.
    """
    if any(
        abs(math.log(baseline.clock / submission.clock)) > MAX_CLOCK_DRIFT
        for baseline, submission in measured
    ):
        return None
    baseline, submission = (fmean(each.seconds for each in side) for side in zip(*measured, strict=True))
    return TimedPair(baseline=baseline / launches, submission=submission / launches, place=buffer_set)


@dataclass(frozen=True, slots=True)
class Sample:
    """The pairs that count, and the number of pairs dropped."""

    pairs: tuple[TimedPair, ...]
    dropped: int

    @property
    def is_steady(self) -> bool:
        """Whether most of the timed pairs count."""
        return len(self.pairs) > self.dropped


def sample_pairs(
    time_pair: TimePair,
    targets: Sequence[float],
    rng: random.Random,
    *,
    is_slow: Callable[[], bool],
    is_late: Callable[[], bool],
) -> Sample:
    """Time pairs until a stopping criterion holds; a dropped pair is repeated in the same order.

    Stops at a look where the pairs are enough for ``targets`` (at the early look only if ``is_slow``), at the last
    look, once ``is_late``, or once at least ``CHECKPOINTS[0]`` pairs and half of all were dropped. At least one pair is
    timed. Half of the pairs before each look have the baseline first.
    """
    pairs: list[TimedPair] = []
    dropped = 0
    for look in (EARLY_CHECKPOINT, *CHECKPOINTS):
        for order in pair_plan(look - len(pairs), rng):
            pair = None
            while pair is None:
                if (pairs or dropped) and (is_late() or dropped >= max(CHECKPOINTS[0], len(pairs))):
                    return Sample(tuple(pairs), dropped)
                pair = time_pair(order)
                dropped += pair is None
            pairs.append(pair)
        if (look != EARLY_CHECKPOINT or is_slow()) and is_enough(pairs, targets):
            break
    return Sample(tuple(pairs), dropped)


def measure(
    timer: PairedTimer,
    kernels: TrustedKernels,
    targets: Sequence[float],
    most_seconds: float,
    *,
    batched: bool = True,
) -> Comparison:
    """Warm up, then time as many pairs with ``timer`` as ``targets`` need.

    After ``most_seconds`` no further pair begins; the first always does. ``batched``: short launches may be timed
    several at once, as a graph.

    Raises: as ``PairedTimer.pair``; ``InfrastructureError`` where another process used the device, or its clock
    changed too often.
    """
    began = time.monotonic()

    def passed(seconds: float) -> Callable[[], bool]:
        return lambda: time.monotonic() - began > seconds

    launches = _warm_up(timer, batched=batched)
    probe = ContentionProbe(kernels)
    clocks: list[float] = []

    def time_on_next_buffers(order: tuple[Side, Side]) -> MeasurementPair:
        timer.buffer_sets.advance()
        measured = timer.pair(order)
        clocks.extend(each.clock for each in measured)
        return measured

    def time_pair(order: tuple[Side, Side]) -> TimedPair | None:
        probe.maybe_sample()
        timer.buffer_sets.begin_pair()
        measured = [time_on_next_buffers(order) for _ in range(timer.buffer_sets.group_size)]
        buffer_set = timer.buffer_sets.index if launches < AVERAGING_BATCH else None
        if launches > 1 and secrets.randbelow(AUDIT_INTERVAL) == 0:
            timer.buffer_sets.advance()  # a second batch in the same set would be known to be the audited one
            timer.audit_batch()
        return steady_pair(measured, launches, buffer_set)

    sample = sample_pairs(
        time_pair,
        targets,
        random.SystemRandom(),
        is_slow=passed(EARLY_LOOK_SECONDS),
        is_late=passed(most_seconds),
    )
    probe.check_quiet()
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
        launches=launches * timer.buffer_sets.group_size,
        dropped=sample.dropped,
        clock=median(clocks),
    )


def _warm_up(timer: PairedTimer, *, batched: bool) -> int:
    """Time pairs that do not count, then set the copies and the buffer sets per pair.

    Returns: the batch size.
    """
    order = Side.SUBMISSION, Side.BASELINE
    measured = timer.pair(order)
    if sum(each.seconds for each in measured) < MAX_REPEATED_SECONDS:
        measured = timer.pair(order)  # the first launches are slow and must not set the batch size
    shortest = min(each.seconds for each in measured)
    launches = batch_size(shortest, timer.buffer_sets.nbytes) if batched else 1
    if launches > 1:
        timer.buffer_sets.set_copies(launches)
        timer.pair(order)
    seconds = sum(each.seconds for each in measured)
    timer.buffer_sets.set_group_size(sets_per_pair(seconds, launches, timer.buffer_sets.limit))
    return launches
