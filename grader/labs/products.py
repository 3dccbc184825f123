"""Labs that multiply matrices: the trusted product, and how far a right one in float32 may lie from it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.lab import Expected
from grader.labs.rounding import summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_HALF = 16
"""Bits in one half of an int32."""


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


def int32_product(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
    """``first @ second`` in int32 arithmetic, which wraps around; for up to 2**22 terms.

    NumPy multiplies matrices of integers without BLAS, far too slowly for thousands of rows. So each factor is split
    into 16 low and 16 high bits, both signed: their products have at most 31 bits, and float64 adds up 2**22 of them
    exactly. The product of the two high halves counts in multiples of 2**32, and vanishes.
    """
    first_low, first_high = _halves(first)
    second_low, second_high = _halves(second)
    low = (first_low @ second_low).astype(np.int64)
    middle = (first_low @ second_high).astype(np.int64) + (first_high @ second_low).astype(np.int64)
    product: NDArray[np.int32] = (low + (middle << _HALF)).astype(np.int32)
    return product


def _halves(matrix: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``low`` and ``high`` with ``low + 2**16 * high == matrix``."""
    low = matrix.astype(np.int16).astype(np.int64)
    high = (matrix - low) >> _HALF
    return low.astype(np.float64), high.astype(np.float64)
