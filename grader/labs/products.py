"""Labs that multiply float32 matrices: the trusted product and how far a right one may lie from it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.lab import Expected
from grader.labs.rounding import summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


def float32_product(first: NDArray[Any], second: NDArray[Any]) -> Expected:
    """``first @ second`` in float64, where the product of two float32 numbers is exact, and its error scale.

    The scale is that of a sum of as many terms as ``first`` has columns. It allows for subnormal numbers that are
    flushed to zero: one per term, and in either factor of each.
    """
    left = first.astype(np.float64)
    right = second.astype(np.float64)
    terms = left.shape[1]
    value: NDArray[np.float64] = left @ right
    squares = np.square(left) @ np.square(right)
    factors = np.abs(left).sum(axis=1)[:, np.newaxis] + np.abs(right).sum(axis=0)
    flushed = _SMALLEST_NORMAL * (2 * terms + factors)
    return Expected(value=value, scale=summation_scale(terms, value, squares, flushed))
