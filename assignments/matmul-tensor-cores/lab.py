"""C = A·B with factors in half precision and sums in float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_LARGE = 250.0
"""Products of such numbers fit into half precision, sums of two of them do not."""
_SMALL = 2.0**-15
"""Below the smallest normal number of half precision."""


class MatmulTensorCores(Lab):
    """``c = a @ b``; rows, columns and inner length are multiples of 16."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw both factors, of the kind that the case names."""
        m, n, k = (case.sizes[name] for name in ("m", "n", "k"))
        return {"a": _draw(case.inputs, (m, k), rng), "b": _draw(case.inputs, (k, n), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Multiply in float64, where the products of numbers in half precision are exact."""
        a, b = inputs["a"].astype(np.float64), inputs["b"].astype(np.float64)
        return {"c": Expected(a @ b, scale=case.sizes["k"] * (np.abs(a) @ np.abs(b)))}


def _draw(kind: str, shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float16]:
    values: NDArray[Any]
    match kind:
        case "normal":
            values = rng.standard_normal(shape)
        case "negative":
            values = -np.abs(rng.standard_normal(shape))
        case "large":
            values = _LARGE * rng.uniform(0.9, 1.0, shape)
        case "small":
            values = _SMALL * rng.standard_normal(shape)
        case "equal":
            values = np.full(shape, 0.3)
        case unknown:
            msg = f"unknown kind of numbers {unknown!r}"
            raise ValueError(msg)
    return values.astype(np.float16)
