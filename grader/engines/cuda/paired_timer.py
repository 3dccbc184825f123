"""Baseline and submission launched in turn: inputs drawn anew before each launch, a look at each answer after it."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial

from grader.engines.cuda.answers import Answers
from grader.engines.cuda.baseline_errors import BaselineFailedError, as_baseline_error
from grader.engines.cuda.buffer_sets import BufferSetRotation
from grader.engines.cuda.pairs import Measurements, Side
from grader.engines.cuda.prepared import Copy, Prepared
from grader.engines.cuda.pristine_inputs import PristineInputs
from grader.engines.cuda.status import out_of_bounds
from grader.engines.cuda.stopwatch import Measurement
from grader.engines.cuda.trusted import SEED_BITS, Draw, TrustedKernels
from grader.engines.timed_output_check import wrong_output_fault
from grader.model.run import Fault, OutputCheck

Clocked = Callable[[Callable[[], None]], Measurement]
"""Times what its argument queues, with a cold cache."""


LEAST_CHANGE = 4
"""One part in ten to this power is the least that is drawn anew of inputs while a submission is watched."""


Drawing = Sequence[Draw]
"""By what a launch's inputs are drawn: all of them first, then what changes of them."""


class WrongOutputError(Exception):
    """The submission's answer to a timed launch was wrong."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.reason)


class PairedTimer:
    """Launches both sides, each time on inputs that did not exist before, in the same one of ``places``.

    The answer that the submission must give is made by the baseline, from the same inputs, after the submission has
    given its own, and wiped before it is launched again: it never stands on the device while a student's code runs.
    """

    def __init__(
        self,
        places: BufferSetRotation,
        originals: PristineInputs,
        kernels: TrustedKernels,
        clocked: Clocked,
        checks: Sequence[OutputCheck],
    ) -> None:
        """Raises: ``KeyError``, ``ValueError`` for checks of what the two plans do not return."""
        self.places = places
        self._originals = originals
        self._kernels = kernels
        self._clocked = clocked
        ours, theirs = (
            {each.name: each for each in side.job.plan.returned}
            for side in (self._submission, self._baseline)
        )
        self._checks = [(check, ours[check.submission], theirs[check.baseline]) for check in checks]
        for check, our, their in self._checks:
            if (our.dtype, our.shape) != (their.dtype, their.shape):
                msg = f"{check.submission} and {check.baseline} are not alike"
                raise ValueError(msg)

    @property
    def _baseline(self) -> Prepared:
        return self.places.here.baseline

    @property
    def _submission(self) -> Prepared:
        return self.places.here.submission

    def pair(self, order: tuple[Side, Side]) -> Measurements:
        """Time all copies of both sides, in this order.

        Raises: ``LaunchFailedError``, ``BaselineFailedError``, ``WrongOutputError``.
        """
        first: Measurement | None = None
        if order[0] is Side.BASELINE:
            first = self._baseline_on(self._drawings())
            self._baseline.wipe()
        drawings = self._drawings()
        self._renew(self._submission, drawings)
        submission = self._clocked(self._submission.queue)
        after = self._answered(drawings)
        return after if first is None else first, submission

    def watch(self) -> None:
        """Have the submission answer all copies once more, untimed, and see whether each launch does its own work.

        Between two launches, which cannot be told before, the answers of the earlier ones are taken: what a later one
        would do for them is in vain. And the inputs of the later ones are changed: what an earlier one did for them
        are answers to questions that nobody asks any more. How much changes is drawn as well, from everything to next
        to nothing, and the answers that were given too early stay where they are: nobody can tell by a glance whether
        they are right. There must be several copies. Raises: as ``pair``.
        """
        copies = self._submission.copies
        turn = 1 + secrets.randbelow(len(copies) - 1)
        share = 10.0 ** -secrets.SystemRandom().uniform(0, LEAST_CHANGE)
        drawings = self._drawings()
        changes = [Draw(seed, share) for seed in self._seeds(len(copies) - turn)]
        self._renew(self._submission, drawings)

        def queue() -> None:
            for number, copy in enumerate(copies):
                if number == turn:
                    self._take(0, turn)
                    for later, change in zip(copies[turn:], changes, strict=True):
                        self._change(self._submission, later, change)
                copy.start()

        self._clocked(self._submission.captured(queue).launch)
        changed = [[*drawing, change] for drawing, change in zip(drawings[turn:], changes, strict=True)]
        self._answered([*drawings[:turn], *changed], taken=turn)

    def check_guards(self) -> None:
        """Look at the guards, which are whole before the first launch and never mended: once covers all launches.

        Raises: ``LaunchFailedError`` where the submission wrote beside its buffers, ``BaselineFailedError`` where the
        baseline does so alone.
        """
        damage = self.places.arenas.damage()
        if damage is None:
            return
        self.places.arenas.guard()
        self._baseline_on(self._drawings())
        again = self.places.arenas.damage()
        if again is not None:
            raise BaselineFailedError(out_of_bounds(again))
        raise out_of_bounds(damage)

    def _answered(self, drawings: Sequence[Drawing], taken: int = 0) -> Measurement:
        """Look at the submission's answers to ``drawings``, of which so many are ``taken`` already, and wipe them.

        First it is seen whether what both draw from is still what it was. Returns: the baseline's lap.
        """
        self._refuse_changed_originals()
        self._take(taken, len(drawings))
        self._submission.wipe()
        lap = self._baseline_on(drawings)
        for answers, copy in zip(self.places.answers, self._baseline.copies, strict=True):
            self._look(answers, copy)
            answers.wipe()
        self._baseline.wipe()
        return lap

    def _take(self, start: int, stop: int) -> None:
        for number in range(start, stop):
            self.places.answers[number].take(self._submission.copies[number].memory)

    def _baseline_on(self, drawings: Sequence[Drawing]) -> Measurement:
        with as_baseline_error():
            self._renew(self._baseline, drawings)
            lap = self._clocked(self._baseline.queue)
            self._refuse_changed_originals()
        return lap

    def _refuse_changed_originals(self) -> None:
        if not self._originals.are_unchanged():
            what = "the kernel wrote into memory that it was not given"
            raise out_of_bounds(what)

    def _renew(self, side: Prepared, drawings: Sequence[Drawing]) -> None:
        for copy, (everything, *changes) in zip(side.copies, drawings, strict=True):
            copy.memory.renew(partial(self._originals.write, side.job, draw=everything))
            for change in changes:
                self._change(side, copy, change)

    def _change(self, side: Prepared, copy: Copy, change: Draw) -> None:
        copy.memory.change(partial(self._originals.write, side.job, draw=change))

    def _look(self, answers: Answers, baseline: Copy) -> None:
        for check, ours, theirs in self._checks:
            wrong = self._kernels.count_differing(
                answers.address(ours.name),
                baseline.memory.address(theirs.name),
                ours.dtype,
                ours.size,
                check.allowed,
            )
            if wrong:
                raise WrongOutputError(wrong_output_fault(check, self._submission.job.plan, wrong))

    def _drawings(self) -> list[Drawing]:
        return [[Draw(seed)] for seed in self._seeds(len(self._submission.copies))]

    def _seeds(self, count: int) -> list[int]:
        return [secrets.randbits(SEED_BITS) for _ in range(count)]
