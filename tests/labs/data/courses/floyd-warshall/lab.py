"""The distances between all nodes of a graph."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class FloydWarshall(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        n = case.sizes["n"]
        distance = rng.integers(1, 50, (n, n)).astype(np.int32)
        distance[rng.random((n, n)) < 0.7] = 1000000
        return {"distance": distance}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        distance = inputs["distance"].astype(np.int64)
        for k in range(case.sizes["n"]):
            distance = np.minimum(distance, distance[:, k : k + 1] + distance[k : k + 1])
        return {"distance": Expected(distance)}
