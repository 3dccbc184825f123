"""Products of many small square matrices in float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


class BatchedMatmul(Lab):
    """``c[k] = a[k] @ b[k]`` for ``batch`` matrices of ``n`` rows and columns."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw all factors; extremes are those of ``a`` alone, as products of two would overflow."""
        shape = (case.sizes["batch"], case.sizes["n"], case.sizes["n"])
        partner = "normal" if case.inputs == "huge" else case.inputs
        return {"a": draw(case.inputs, shape, rng), "b": draw(partner, shape, rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Multiply in float64, where the product of two float32 numbers is exact."""
        a, b = inputs["a"].astype(np.float64), inputs["b"].astype(np.float64)
        value = a @ b
        squares = np.square(a) @ np.square(b)
        n = case.sizes["n"]
        return {"c": Expected(value, scale=summation_scale(n, value, squares, _SMALLEST_NORMAL * 2 * n))}
