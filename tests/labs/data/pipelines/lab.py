"""Three programs on one array of whole numbers."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class Pipelines(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {
            "x": rng.integers(-9, 10, case.sizes["n"]).astype(np.int32),
            "weights": rng.integers(1, 4, 3).astype(np.int32),
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        x, weights = inputs["x"].astype(np.int64), inputs["weights"]
        smoothed = x
        for _ in range(case.sizes["rounds"]):
            padded = np.pad(smoothed, 1)
            smoothed = weights[0] * padded[:-2] + weights[1] * padded[1:-1] + weights[2] * padded[2:]
        return {
            "y": Expected(np.cumsum(x) - x),
            "smoothed": Expected(smoothed),
            "z": Expected(np.maximum.accumulate(x)),
        }
