"""How often each byte occurs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class Histogram(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {"data": rng.integers(0, 256, case.sizes["n"]).astype(np.uint8)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        return {"counts": Expected(np.bincount(inputs["data"], minlength=256))}
