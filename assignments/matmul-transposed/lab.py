"""C = A·Aᵀ in float32: inputs and the trusted product."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, float32_product

_FURTHEST = 6.0


class MatmulTransposed(Lab):
    """A matrix times its own transpose, row-major."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [m][k].

        ``rows-apart`` gives each row a magnitude of its own: an element of C computed from a wrong row, though it may
        lie at a position that looks right, is then wrong by orders of magnitude.
        """
        m, k = case.sizes["m"], case.sizes["k"]
        if case.inputs != "rows-apart":
            return {"a": draw(case.inputs, (m, k), rng)}
        magnitudes = 10.0 ** rng.uniform(-_FURTHEST, _FURTHEST, (m, 1))
        return {"a": (rng.standard_normal((m, k)) * magnitudes).astype(np.float32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the shape of ``a`` says it all
        """Multiply in float64, where the product of two float32 numbers is exact."""
        return {"c": float32_product(inputs["a"], inputs["a"].T)}
