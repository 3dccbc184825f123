"""The arithmetic mean of each row and of each column in float32: the trusted means."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Case, Expected, RowWise, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


class RowMean(RowWise):
    """Means along both sides of a row-major matrix."""

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the shape of ``a`` says it all
        """Average both ways: a column of ``a`` is a row of its transpose."""
        a = inputs["a"].astype(np.float64)
        return {"row_means": self.of_rows(a), "column_means": self.of_rows(a.T)}

    def of_rows(self, a: NDArray[np.float64]) -> Expected:
        """Average each row."""
        terms = a.shape[1]
        total = a.sum(axis=1)
        flushed = 2 * (terms + terms) * _SMALLEST_NORMAL
        scale = summation_scale(terms, total, np.square(a).sum(axis=1), flushed)
        return Expected(value=total / terms, scale=scale / terms)
