"""Compares the output of a timed submission with the baseline's."""

import numpy as np

from grader.model.kernel import DType
from grader.model.plan import LaunchPlan
from grader.model.reason import reason
from grader.model.run import Fault, OutputCheck
from grader.model.verdict import Verdict


def count_differing(left: bytes, right: bytes, dtype: DType, allowed: float) -> int:
    """The number of elements that differ by more than ``allowed``; equal bit patterns never do.

    Raises: ``ValueError`` for arrays of different sizes.
    """
    if len(left) != len(right):
        msg = f"{len(left)} bytes cannot be compared with {len(right)}"
        raise ValueError(msg)
    ours, theirs = (np.frombuffer(data, dtype.numpy) for data in (left, right))
    bits = np.dtype(f"u{dtype.numpy.itemsize}")
    same = ours.view(bits) == theirs.view(bits)
    if np.issubdtype(dtype.numpy, np.floating):
        with np.errstate(invalid="ignore", over="ignore"):
            same |= np.abs(ours.astype(np.float64) - theirs.astype(np.float64)) <= allowed
    return int(np.count_nonzero(~same))


def wrong_output_fault(check: OutputCheck, plan: LaunchPlan, count: int) -> Fault:
    """The fault of a submission with ``count`` wrong elements."""
    wrong = reason(
        "wrong-while-timed", count=count, size=plan.buffer(check.submission).size, buffer=check.submission
    )
    return Fault(verdict=Verdict.WRONG, reason=wrong)
