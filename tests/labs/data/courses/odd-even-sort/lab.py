"""Neighbours change places in n phases."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class OddEvenSort(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {"x": rng.integers(-1000, 1000, case.sizes["n"]).astype(np.int32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        return {"x": Expected(np.sort(inputs["x"]))}
