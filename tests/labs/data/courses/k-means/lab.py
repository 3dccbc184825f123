"""One step: the nearest centre of each point, and the new centres."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class KMeans(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        whole = rng.integers(0, 64, (case.sizes["n"], 2)).astype(np.float32)
        centres = np.arange(case.sizes["k"])[:, None] * [13.25, 7.375] + [3.1, 9.7]
        return {"points": whole, "centres": centres.astype(np.float32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        points, centres = (inputs[name].astype(np.float64) for name in ("points", "centres"))
        distance = np.square(points[:, None] - centres[None]).sum(axis=2)
        nearest = distance.argmin(axis=1)
        count = np.bincount(nearest, minlength=len(centres))
        sums = np.stack([np.bincount(nearest, points[:, d], len(centres)) for d in (0, 1)], axis=1)
        moved = sums / np.maximum(count, 1)[:, None]
        return {"nearest": Expected(nearest), "moved": Expected(moved, scale=np.abs(moved))}
