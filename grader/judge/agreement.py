"""Compare the outputs of a lab's kernels with one another."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.judge.numbers import numbers_of, widened
from grader.labs.expected import Expected
from grader.model.element_arrays import sorting_order
from grader.model.reason import Reason, reason


def disagreement(
    case: str,
    outputs: Mapping[str, Mapping[str, NDArray[Any]]],
    expected: Mapping[str, Expected],
    factor: float,
) -> Reason | None:
    """The first pair of kernels with outputs that differ by more than both tolerances; ``None`` if all agree.

    ``outputs`` in ``case``: by kernel name, by buffer name; kernels are compared where they write the same buffer. Each
    may be off by the tolerance, so two may differ by twice. Where a lab accepts several answers, kernels may differ.
    """
    for buffer, answer in expected.items():
        if answer.alternatives:
            continue
        writers = [name for name, written in outputs.items() if buffer in written]
        for first, second in pairwise(writers):
            one, other = outputs[first][buffer], outputs[second][buffer]
            if not _agree(one, other, answer, factor):
                return reason("kernels-disagree", case=case, first=first, second=second, buffer=buffer)
    return None


def _agree(one: NDArray[Any], other: NDArray[Any], answer: Expected, factor: float) -> bool:
    one, other = one[: answer.length], other[: answer.length]
    if answer.unordered:
        one, other = one[sorting_order(one)], other[sorting_order(other)]
    for left, right in zip(numbers_of(one, answer), numbers_of(other, answer), strict=True):
        differs = left.actual != right.actual
        if differs.any():
            ours, theirs = widened(left.actual), widened(right.actual)
            with np.errstate(invalid="ignore", over="ignore"):
                close = np.abs(ours - theirs) <= 2 * left.answer.allowed(left.dtype, factor)
            differs &= ~close & ~(np.isnan(ours) & np.isnan(theirs))
            if answer.mask is not None:
                differs &= answer.mask.reshape(answer.mask.shape + (1,) * (differs.ndim - answer.mask.ndim))
            if differs.any():
                return False
    return True
