"""Adding one to every float, in place: inputs and the trusted sums."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw


class Coalescing(Lab):
    """Each kernel has an array of its own: ``n`` floats, ``n`` points of 3 and ``n`` records of 32."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw every array flat, and fold it as declared."""
        n = case.sizes["n"]
        shapes = {"x": (n,), "points": (n, 3), "records": (n, 32)}
        return {name: draw(case.inputs, shape, rng) for name, shape in shapes.items()}

    def oracle(
        self,
        case: Case,  # noqa: ARG002 - the port's signature; the inputs' shapes say it all
        inputs: Mapping[str, NDArray[Any]],
    ) -> dict[str, Expected]:
        """Add in float64 and round once: float64 is long enough for that to be what float32 addition gives."""
        sums = {name: given.astype(np.float64) + 1 for name, given in inputs.items()}
        return {name: Expected(value=total.astype(np.float32)) for name, total in sums.items()}
