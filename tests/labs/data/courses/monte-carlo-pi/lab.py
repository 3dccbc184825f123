"""How many of its random points each thread finds in the unit circle."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class MonteCarloPi(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        points, chance = case.sizes["points"], np.pi / 4
        mean = np.full(case.sizes["threads"], points * chance)
        return {"hits": Expected.statistical(mean, np.sqrt(points * chance * (1 - chance)), false_alarm=1e-8)}

    def check(
        self, case: Case, inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, NDArray[Any]]
    ) -> str | None:
        spread = float(outputs["hits"].std())
        least = 0.5 * float(np.sqrt(case.sizes["points"] * np.pi / 4 * (1 - np.pi / 4)))
        return None if spread > least else f"hits vary by {spread:.1f} only, so the points are not random"
