"""The sum of the squares of each row in float32: inputs with squares that float32 can hold, and the trusted sums."""

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, RowWise, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_FAR_FROM_ONE = {"huge", "one-huge", "tiny"}


class RowSumSquares(RowWise):
    """Row sums of squares of a row-major matrix."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [rows][cols], so that the squares, not the elements, are huge or tiny.

        The square of 1e30 is no float32, that of 1e-30 is zero, and beside 1e10 no other square of its row
        would be seen: such elements would ask nothing of a kernel.
        """
        a = super().inputs(case, rng)["a"]
        return {"a": np.copysign(np.sqrt(np.abs(a)), a) if case.inputs in _FAR_FROM_ONE else a}

    def of_rows(self, a: NDArray[np.float64]) -> Expected:
        """Add up the squares of each row."""
        cols = a.shape[1]
        squares = np.square(a)
        total = squares.sum(axis=1)
        flushed = 2 * cols * _SMALLEST_NORMAL
        return Expected(
            value=total, scale=summation_scale(cols, total, np.square(squares).sum(axis=1), flushed)
        )
