"""Timed pairs of baseline and submission: new random inputs before each launch, a check of each output after it."""

import secrets
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial

from grader.engines.cuda.baseline_errors import BaselineFailedError, as_baseline_error
from grader.engines.cuda.buffer_sets import BufferSetRotation
from grader.engines.cuda.launch_sampler import LaunchSampler
from grader.engines.cuda.output_comparison import OutputComparison
from grader.engines.cuda.prepared import Copy, Prepared
from grader.engines.cuda.status import out_of_bounds
from grader.engines.cuda.timed_data import PristineInputs
from grader.engines.cuda.timing import Measurement
from grader.engines.cuda.trusted import SEED_BITS, Draw, TrustedKernels
from grader.model.reason import reason
from grader.model.run import OutputCheck

Measure = Callable[[Callable[[], None]], Measurement]
"""Times what its argument queues, with a cold cache."""

MIN_CHANGE_EXPONENT = 4
"""An audited batch redraws at least one part in ten to this power of the inputs."""

InputDraws = Sequence[Draw]
"""How a launch's inputs are drawn: first all of them, then the changes."""


class Side(IntEnum):
    """The two jobs of a comparison."""

    BASELINE = 0
    SUBMISSION = 1


MeasurementPair = tuple[Measurement, Measurement]
"""The baseline's and the submission's measurement in one buffer set, in this order whichever ran first."""


class PairedTimer:
    """Launches both sides in the current set of ``buffer_sets``, each time on newly drawn inputs.

    The baseline computes the expected output from the same inputs after the submission has written its own. The
    expected output is wiped before the submission is launched again: it is never on the device while a student's
    code runs.
    """

    def __init__(
        self,
        buffer_sets: BufferSetRotation,
        originals: PristineInputs,
        kernels: TrustedKernels,
        measure: Measure,
        checks: Sequence[OutputCheck],
    ) -> None:
        """Raises: ``KeyError``, ``ValueError`` for checks of outputs that the two plans do not return."""
        self.buffer_sets = buffer_sets
        self._originals = originals
        self._measure = measure
        self.sampler = LaunchSampler(0)
        """Takes some of the launches; set another one to have any."""
        self._comparison = OutputComparison(
            kernels, checks, self._submission.job.plan, self._baseline.job.plan
        )

    @property
    def _baseline(self) -> Prepared:
        return self.buffer_sets.current.baseline

    @property
    def _submission(self) -> Prepared:
        return self.buffer_sets.current.submission

    def pair(self, order: tuple[Side, Side]) -> MeasurementPair:
        """Time all copies of both sides, in this order.

        Raises: ``LaunchFailedError``, ``BaselineFailedError``, ``WrongOutputError``.
        """
        first: Measurement | None = None
        if order[0] is Side.BASELINE:
            first = self._time_baseline(self._new_draws())
            self._baseline.wipe()
        draws = self._new_draws()
        self._write_inputs(self._submission, draws)
        submission = self._measure(self._submission.queue)
        after = self._check_outputs(draws)
        return after if first is None else first, submission

    def audit_batch(self) -> None:
        """Launch all copies of the submission once more, untimed, and check that each launch does its own job.

        At a random point between two launches the audit copies the outputs of the earlier launches, so that work done
        for them by a later launch does not count. It also changes the inputs of the later launches, so that outputs
        computed ahead by an earlier launch are wrong. The share of the inputs that changes is random as well, from all
        to almost none, and outputs that were written too early stay in place: a kernel cannot find out by a partial
        check of its inputs and output whether an output is still right. There must be several copies.
        Raises: as ``pair``.
        """
        copies = self._submission.copies
        cut = 1 + secrets.randbelow(len(copies) - 1)
        share = 10.0 ** -secrets.SystemRandom().uniform(0, MIN_CHANGE_EXPONENT)
        draws = self._new_draws()
        changes = [Draw(seed, share) for seed in self._seeds(len(copies) - cut)]
        self._write_inputs(self._submission, draws)

        def queue() -> None:
            for index, copy in enumerate(copies):
                if index == cut:
                    self._snapshot(0, cut)
                    for later, change in zip(copies[cut:], changes, strict=True):
                        self._change_inputs(self._submission, later, change)
                copy.start()

        self._measure(self._submission.captured(queue).launch)
        changed = [[*draw, change] for draw, change in zip(draws[cut:], changes, strict=True)]
        self._check_outputs([*draws[:cut], *changed], taken=cut)

    def check_guards(self) -> None:
        """Check the guard zones once for all launches: nothing rewrites them after the first launch.

        Raises: ``LaunchFailedError`` where the submission wrote outside its buffers, ``BaselineFailedError`` where the
        baseline alone does so.
        """
        damage = self.buffer_sets.arenas.damage()
        if damage is None:
            return
        self.buffer_sets.arenas.guard()
        self._time_baseline(self._new_draws())
        by_baseline = self.buffer_sets.arenas.damage()
        if by_baseline is not None:
            raise BaselineFailedError(out_of_bounds(by_baseline))
        raise out_of_bounds(damage)

    def _check_outputs(self, draws: Sequence[InputDraws], taken: int = 0) -> Measurement:
        """Compare the submission's outputs for ``draws`` with the baseline's, and wipe both.

        The first ``taken`` outputs are in the snapshots already. The originals of the inputs are checked first.
        Returns: the baseline's measurement.
        """
        self._check_originals()
        self._snapshot(taken, len(draws))
        self._submission.wipe()
        if self.sampler.takes():
            self._sample(draws)
        measurement = self._time_baseline(draws)
        for snapshot, copy in zip(self.buffer_sets.snapshots, self._baseline.copies, strict=True):
            self._comparison.check(snapshot, copy.memory)
            snapshot.wipe()
        self._baseline.wipe()
        return measurement

    def _sample(self, draws: Sequence[InputDraws]) -> None:
        """Have the sampler keep the outputs of the first copy, and its inputs, which are drawn again."""
        self._write_inputs(self._submission, draws)
        inputs = self._submission.copies[0].memory.inputs()
        self._submission.wipe()
        names = [buffer.name for buffer in self._submission.job.plan.returned]
        self.sampler.add(inputs, {name: self.buffer_sets.snapshots[0].read(name) for name in names})

    def _snapshot(self, start: int, stop: int) -> None:
        for index in range(start, stop):
            self.buffer_sets.snapshots[index].take(self._submission.copies[index].memory)

    def _time_baseline(self, draws: Sequence[InputDraws]) -> Measurement:
        with as_baseline_error():
            self._write_inputs(self._baseline, draws)
            measurement = self._measure(self._baseline.queue)
            self._check_originals()
        return measurement

    def _check_originals(self) -> None:
        if not self._originals.are_unchanged():
            raise out_of_bounds(reason("guard-elsewhere"))

    def _write_inputs(self, side: Prepared, draws: Sequence[InputDraws]) -> None:
        for copy, (everything, *changes) in zip(side.copies, draws, strict=True):
            copy.memory.renew(partial(self._originals.write, side.job, draw=everything))
            for change in changes:
                self._change_inputs(side, copy, change)

    def _change_inputs(self, side: Prepared, copy: Copy, change: Draw) -> None:
        copy.memory.change(partial(self._originals.write, side.job, draw=change))

    def _new_draws(self) -> list[InputDraws]:
        return [[Draw(seed)] for seed in self._seeds(len(self._submission.copies))]

    def _seeds(self, count: int) -> list[int]:
        return [secrets.randbits(SEED_BITS) for _ in range(count)]
