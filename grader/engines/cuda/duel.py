"""Baseline and submission launched in turn: inputs drawn anew before each launch, a look at each answer after it."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.engines.cuda.kernels import ReadyLaunch
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.originals import Originals
from grader.engines.cuda.pairs import Side
from grader.engines.cuda.status import LaunchFailedError
from grader.engines.cuda.trusted import TrustedKernels
from grader.engines.while_timed import wrong_while_timed
from grader.model.run import Fault, OutputCheck, TimedPair, Work

_SEED_BITS = 64


@dataclass(frozen=True, slots=True)
class Prepared:
    """A piece of work on the device, ready to be launched again and again."""

    work: Work
    memory: DeviceMemory
    launches: list[ReadyLaunch]


class BaselineFailedError(LaunchFailedError):
    """A launch of the baseline failed, which is no mistake of the submission's."""

    def __init__(self, failed: LaunchFailedError) -> None:
        super().__init__(failed.fault, failed.diagnostic.kind, lethal=failed.lethal)


class WrongWhileTimedError(Exception):
    """The submission's answer to a timed launch was wrong."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.reason)


class Duel:
    """Launches both sides, each time on inputs that did not exist before.

    The answer that the submission must give is made by the baseline, from the same inputs, after the submission has
    given its own, and wiped before it is launched again: it never stands on the device while a student's code runs.
    """

    def __init__(
        self,
        sides: tuple[Prepared, Prepared],
        originals: Originals,
        kernels: TrustedKernels,
        launch: Callable[[Prepared], float],
        checks: Sequence[OutputCheck],
    ) -> None:
        """``launch`` carries out all launches of a side with a cold cache and returns the seconds they took.

        Raises: ``KeyError``, ``ValueError`` for checks of what the two plans do not write.
        """
        self._baseline, self._submission = sides
        self._originals = originals
        self._kernels = kernels
        self._launch = launch
        self._checks = [
            (check, sides[1].work.plan.buffer(check.submission), sides[0].work.plan.buffer(check.baseline))
            for check in checks
        ]
        for check, ours, theirs in self._checks:
            if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
                msg = f"{check.submission} and {check.baseline} are not alike"
                raise ValueError(msg)

    def pair(self, order: tuple[Side, Side]) -> TimedPair:
        """Time both sides, in this order.

        Raises: ``LaunchFailedError``, ``BaselineFailedError``, ``WrongWhileTimedError``.
        """
        first: float | None = None
        if order[0] is Side.BASELINE:
            first = self._baseline_on(_seed())
            self._baseline.memory.wipe()
        seed = _seed()
        submission = self._on(self._submission, seed)
        after = self._baseline_on(seed)
        self._look()
        self._baseline.memory.wipe()
        self._submission.memory.wipe()
        return TimedPair(baseline=after if first is None else first, submission=submission)

    def _on(self, side: Prepared, seed: int) -> float:
        side.memory.renew(lambda buffer, address: self._originals.write(side.work, buffer, address, seed))
        return self._launch(side)

    def _baseline_on(self, seed: int) -> float:
        try:
            return self._on(self._baseline, seed)
        except LaunchFailedError as failed:
            raise BaselineFailedError(failed) from failed

    def _look(self) -> None:
        for check, ours, theirs in self._checks:
            wrong = self._kernels.differing(
                self._submission.memory.address(ours.name),
                self._baseline.memory.address(theirs.name),
                ours.dtype,
                ours.size,
                check.allowed,
            )
            if wrong:
                raise WrongWhileTimedError(wrong_while_timed(check, self._submission.work.plan, wrong))


def _seed() -> int:
    return secrets.randbits(_SEED_BITS)
