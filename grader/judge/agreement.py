"""Compare the outputs of a lab's kernels with one another."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.judge.outputs import allowed_error
from grader.labs.lab import Expected
from grader.model.reason import Reason, reason


def disagreement(
    case: str,
    outputs: Mapping[str, Mapping[str, NDArray[Any]]],
    expected: Mapping[str, Expected],
    factor: float,
) -> Reason | None:
    """The first pair of kernels with outputs that differ by more than both tolerances; ``None`` if all agree.

    ``outputs`` in ``case``: by kernel name, by buffer name; kernels are compared where they write the same buffer. Each
    may be off by the tolerance, so two may differ by twice.
    """
    for buffer, answer in expected.items():
        writers = [name for name, written in outputs.items() if buffer in written]
        for first, second in pairwise(writers):
            one, other = outputs[first][buffer], outputs[second][buffer]
            if not _agree(one, other, answer, factor):
                return reason("kernels-disagree", case=case, first=first, second=second, buffer=buffer)
    return None


def _agree(one: NDArray[Any], other: NDArray[Any], answer: Expected, factor: float) -> bool:
    if np.issubdtype(one.dtype, np.integer):
        return bool((one == other).all())
    left, right = one.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        close = np.abs(left - right) <= 2 * allowed_error(one.dtype, answer, factor)
    return bool((close | (left == right) | (np.isnan(left) & np.isnan(right))).all())
