"""The sum of n float32 by a whole program: inputs and the trusted sum."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


class ReductionPipeline(Lab):
    """``sum[0]`` is the sum of the ``n`` elements of ``x`` in host memory."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``x`` [n]."""
        return {"x": draw(case.inputs, (case.sizes["n"],), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Add up in float64."""
        n, x = case.sizes["n"], inputs["x"].astype(np.float64)
        total = x.sum(keepdims=True)
        scale = summation_scale(n, total, np.square(x).sum(keepdims=True), n * _SMALLEST_NORMAL)
        return {"sum": Expected(total, scale)}
