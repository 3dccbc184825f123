"""y = A·x in float32: inputs and the trusted product."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_EXTREMES = frozenset({"huge", "tiny"})


class Matvec(Lab):
    """A row-major matrix times a vector."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [rows][cols] and ``x`` [cols].

        Extremes are A's alone: extremes of both would overflow, or vanish, in every product.
        """
        rows, cols = case.sizes["rows"], case.sizes["cols"]
        partner = "normal" if case.inputs in _EXTREMES else case.inputs
        return {"a": draw(case.inputs, (rows, cols), rng), "x": draw(partner, (cols,), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Multiply in float64, where the product of two float32 numbers is exact."""
        a = inputs["a"].astype(np.float64)
        x = inputs["x"].astype(np.float64)
        cols = case.sizes["cols"]
        product = a @ x
        squares = np.square(a) @ np.square(x)
        factors = np.abs(a).sum(axis=1) + np.abs(x).sum()
        flushed = _SMALLEST_NORMAL * (2 * cols + factors)
        return {"y": Expected(value=product, scale=summation_scale(cols, product, squares, flushed))}
