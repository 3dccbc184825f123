"""Compares the outputs of timed launches of a submission with those of the baseline, on the device where it can be."""

from collections.abc import Sequence

from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.timed_data import OutputSnapshot
from grader.engines.cuda.trusted import TrustedKernels
from grader.engines.timed_output_check import OutputPair, count_wrong, wrong_output_fault
from grader.model.plan import Buffer, LaunchPlan
from grader.model.run import Fault, OutputCheck


class WrongOutputError(Exception):
    """The output of a timed launch of the submission was wrong."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.reason.code)


class OutputComparison:
    """Outputs of the two plans, compared as ``checks`` ask."""

    def __init__(
        self,
        kernels: TrustedKernels,
        checks: Sequence[OutputCheck],
        submission: LaunchPlan,
        baseline: LaunchPlan,
    ) -> None:
        """Raises: ``KeyError``, ``ValueError`` for checks of outputs that the two plans do not return."""
        self._kernels = kernels
        self._submission = submission
        self._baseline = baseline
        ours, theirs = ({each.name: each for each in plan.returned} for plan in (submission, baseline))
        self._checks = [(check, ours[check.submission], theirs[check.baseline]) for check in checks]
        for check, our, their in self._checks:
            if (our.dtype, our.shape) != (their.dtype, their.shape):
                msg = f"{check.submission} and {check.baseline} differ in type or shape"
                raise ValueError(msg)

    def check(self, snapshot: OutputSnapshot, baseline: DeviceMemory) -> None:
        """Compare the outputs in ``snapshot`` with those in ``baseline``.

        Raises: ``WrongOutputError``; errors as ``status.checked``.
        """
        for check, ours, theirs in self._checks:
            numbers = ours.dtype.numbers
            if check.is_elementwise and len(set(numbers)) == 1:
                found = self._kernels.count_differing(
                    snapshot.address(ours.name),
                    baseline.address(theirs.name),
                    numbers[0],
                    ours.nbytes // numbers[0].itemsize,
                    check.allowed,
                )
                wrong = -(-found // len(numbers))
            else:
                wrong = self._count_on_host(check, ours, snapshot, baseline)
            if wrong:
                raise WrongOutputError(wrong_output_fault(check, self._submission, wrong))

    def _count_on_host(
        self, check: OutputCheck, buffer: Buffer, snapshot: OutputSnapshot, baseline: DeviceMemory
    ) -> int:
        """Count wrong elements with members of several types, or in any order."""
        pair = OutputPair(
            buffer=buffer,
            ours=snapshot.read(check.submission),
            theirs=baseline.read(check.baseline),
            baseline_output=lambda name: self._baseline.buffer(name).array(baseline.read(name)),
        )
        return count_wrong(check, pair)
