"""Some generations on a torus."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class GameOfLife(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {"start": rng.random((case.sizes["rows"], case.sizes["cols"])) < 0.4}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        alive = inputs["start"]
        for _ in range(case.sizes["generations"]):
            moves = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
            around = sum(np.roll(alive.astype(np.int64), move, (0, 1)) for move in moves)
            alive = (around == 3) | (alive & (around == 2))
        return {"end": Expected(alive)}
