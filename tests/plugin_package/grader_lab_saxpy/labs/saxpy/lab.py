"""Scaled vector addition: ``out = alpha * x + y`` in float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class Saxpy(Lab):
    """``x``, ``y`` and ``out`` have ``n`` elements; ``alpha`` is a whole number, passed by value."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        shape = case.sizes["n"]
        sign = -1.0 if case.inputs == "negative" else 1.0
        return {name: (sign * rng.uniform(0.5, 2.0, shape)).astype(np.float32) for name in ("x", "y")}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        scaled = case.sizes["alpha"] * inputs["x"].astype(np.float64)
        y = inputs["y"].astype(np.float64)
        return {"out": Expected(scaled + y, scale=np.abs(scaled) + np.abs(y))}
