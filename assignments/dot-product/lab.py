"""The dot product of two vectors in float32: inputs and the trusted product."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, BlockSums, Case, Expected, draw, float32_product

_ONES = "ones"
_EXTREMES = frozenset({"huge", "tiny"})


class DotProduct(BlockSums):
    """``out[0] = x . y``. The sum of what the blocks left is its dot product with ones."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``x`` and ``y`` [n]; extremes are x's alone, as products of two would leave float32."""
        n = case.sizes["n"]
        partner = "normal" if case.inputs in _EXTREMES else case.inputs
        x, y = draw(case.inputs, (n,), rng), draw(partner, (n,), rng)
        return {"x": x, "y": y, _ONES: np.ones((n + 1) // 2, np.float32)}

    def read_again(self, name: str) -> str:  # noqa: ARG002 - there is only ``y``
        """Ones, so that a launch adds up what the one before left."""
        return _ONES

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the vectors say it all
        """Multiply in float64, where the product of two float32 numbers is exact."""
        product = float32_product(inputs["x"][np.newaxis, :], inputs["y"][:, np.newaxis])
        return {"out": Expected(product.value.reshape(1), np.reshape(product.scale, 1))}
