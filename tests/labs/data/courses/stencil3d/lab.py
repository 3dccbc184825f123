"""Some steps of the heat equation in a box."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class Stencil3d(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        shape = [case.sizes[name] for name in ("nx", "ny", "nz")]
        return {"start": rng.standard_normal(shape).astype(np.float32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        u, c = inputs["start"].astype(np.float64), float(np.float32(case.values["c"]))
        scale = np.abs(u).max() * case.sizes["steps"]
        for _ in range(case.sizes["steps"]):
            around = [np.roll(u, step, axis)[1:-1, 1:-1, 1:-1] for axis in range(3) for step in (1, -1)]
            v = u.copy()
            v[1:-1, 1:-1, 1:-1] = c * u[1:-1, 1:-1, 1:-1] + (1 - c) / 6 * sum(around)
            u = v
        return {"end": Expected(u, scale=scale)}
