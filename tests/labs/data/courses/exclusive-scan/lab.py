"""The sum of all elements before each one, by three launches."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class ExclusiveScan(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {"x": rng.integers(-9, 10, case.sizes["n"]).astype(np.int32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        x = inputs["x"].astype(np.int64)
        return {"y": Expected(np.cumsum(x) - x)}
