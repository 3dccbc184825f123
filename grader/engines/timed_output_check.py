"""What a submission wrote while it was timed, held against what the baseline wrote."""

import numpy as np

from grader.model.kernel import DType
from grader.model.plan import LaunchPlan
from grader.model.run import Fault, OutputCheck
from grader.model.verdict import Verdict


def count_differing(left: bytes, right: bytes, dtype: DType, allowed: float) -> int:
    """How many elements of two arrays differ by more than ``allowed``; the same bits never do.

    Raises: ``ValueError`` for arrays of different sizes.
    """
    if len(left) != len(right):
        msg = f"{len(left)} bytes cannot be held against {len(right)}"
        raise ValueError(msg)
    ours, theirs = (np.frombuffer(data, dtype.numpy) for data in (left, right))
    bits = np.dtype(f"u{dtype.numpy.itemsize}")
    same = ours.view(bits) == theirs.view(bits)
    if np.issubdtype(dtype.numpy, np.floating):
        with np.errstate(invalid="ignore", over="ignore"):
            same |= np.abs(ours.astype(np.float64) - theirs.astype(np.float64)) <= allowed
    return int(np.count_nonzero(~same))


def wrong_output_fault(check: OutputCheck, plan: LaunchPlan, count: int) -> Fault:
    """The fault of a submission whose ``count`` elements did not pass."""
    of = f"{count} of {plan.buffer(check.submission).size} elements of {check.submission}"
    return Fault(
        verdict=Verdict.WRONG,
        reason=f"wrong while it was timed: {of} are not what the baseline makes of the same inputs",
    )
