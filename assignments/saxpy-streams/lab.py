"""y = alpha * x + y by a whole program: inputs and the trusted vector."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_UNIT_ROUNDOFF = float(np.finfo(np.float32).eps) / 2


class SaxpyStreams(Lab):
    """``y[i] = alpha * x[i] + y[i]`` for vectors of ``n`` elements in host memory."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``x`` [n] and ``y`` [n]."""
        return {name: draw(case.inputs, (case.sizes["n"],), rng) for name in ("x", "y")}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Compute in float64; the product and the sum may each be rounded, and subnormal numbers flushed to zero."""
        alpha = case.sizes["alpha"]
        product = alpha * inputs["x"].astype(np.float64)
        result = product + inputs["y"]
        flushed = (alpha + 3) * _SMALLEST_NORMAL / _UNIT_ROUNDOFF
        return {"y": Expected(value=result, scale=np.abs(product) + np.abs(result) + flushed)}
