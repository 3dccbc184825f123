"""The sum of each row in float32: the trusted sums."""

import numpy as np
from numpy.typing import NDArray

from grader.labs import Expected, RowWise, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


class RowSum(RowWise):
    """Row sums of a row-major matrix."""

    def of_rows(self, a: NDArray[np.float64]) -> Expected:
        """Add up each row."""
        cols = a.shape[1]
        total = a.sum(axis=1)
        squares = np.square(a).sum(axis=1)
        flushed = 2 * cols * _SMALLEST_NORMAL
        return Expected(value=total, scale=summation_scale(cols, total, squares, flushed))
