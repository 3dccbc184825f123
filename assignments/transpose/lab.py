"""B = Aᵀ in float32: inputs and the trusted transpose."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw


class Transpose(Lab):
    """Matrix transposition, row-major. Nothing is computed, so nothing may be rounded."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [rows][cols]."""
        return {"a": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng)}

    def oracle(
        self,
        case: Case,  # noqa: ARG002 - the port's signature; the input's shape says it all
        inputs: Mapping[str, NDArray[Any]],
    ) -> dict[str, Expected]:
        """Put the same numbers elsewhere."""
        return {"b": Expected(value=np.ascontiguousarray(inputs["a"].T))}
