"""C = A·B in float32: inputs and the trusted product."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, float32_product

_EXTREMES = frozenset({"huge", "tiny"})


class Matmul(Lab):
    """Matrix multiplication, row-major."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [m][k] and ``b`` [k][n].

        Extremes are A's alone: extremes of both would overflow, or vanish, in every product.
        """
        m, n, k = (case.sizes[name] for name in ("m", "n", "k"))
        partner = "normal" if case.inputs in _EXTREMES else case.inputs
        return {"a": draw(case.inputs, (m, k), rng), "b": draw(partner, (k, n), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the shapes say it all
        """Multiply in float64, where the product of two float32 numbers is exact."""
        return {"c": float32_product(inputs["a"], inputs["b"])}
