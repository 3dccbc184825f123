"""Kernels that a submission may leave out, because the programs that launch them do without."""

from dataclasses import replace

from grader.labs.lab import Lab
from grader.model.build import BuildOutcome

_MISSING = frozenset({"kernel-missing", "kernel-missing-others"})
"""Why a kernel is not there at all. One with a similar name may be meant for it, so that is an error."""


def without_missing_optional(lab: Lab, outcome: BuildOutcome) -> BuildOutcome:
    """``outcome`` without the problem of optional kernels that the submission does not have."""
    optional = {kernel.spec.name for kernel in lab.manifest.kernels if kernel.optional}
    problems = {
        name: fault
        for name, fault in outcome.problems.items()
        if name not in optional or fault.reason.code not in _MISSING
    }
    return replace(outcome, problems=problems)
