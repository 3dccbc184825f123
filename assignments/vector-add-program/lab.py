"""The sum of two vectors by a whole program: inputs and the trusted sums."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_UNIT_ROUNDOFF = float(np.finfo(np.float32).eps) / 2


class VectorAddProgram(Lab):
    """``c[i] = a[i] + b[i]`` for vectors of ``n`` elements in host memory."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [n] and ``b`` [n]."""
        return {name: draw(case.inputs, (case.sizes["n"],), rng) for name in ("a", "b")}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the inputs say it all
        """Add in float64; one rounding to float32 is allowed, and so is flushing subnormal numbers to zero."""
        total = inputs["a"].astype(np.float64) + inputs["b"]
        flushed = 3 * _SMALLEST_NORMAL / _UNIT_ROUNDOFF
        return {"c": Expected(value=total, scale=np.abs(total) + flushed)}
