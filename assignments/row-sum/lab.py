"""The sum of each row in float32: inputs and the trusted sums."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


class RowSum(Lab):
    """Row sums of a row-major matrix."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [rows][cols]."""
        return {"a": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Add up in float64."""
        a = inputs["a"].astype(np.float64)
        cols = case.sizes["cols"]
        total = a.sum(axis=1)
        squares = np.square(a).sum(axis=1)
        flushed = 2 * cols * _SMALLEST_NORMAL
        return {"out": Expected(value=total, scale=summation_scale(cols, total, squares, flushed))}
