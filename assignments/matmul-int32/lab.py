"""C = A·B in int32 with wrap-around: inputs and the trusted product."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, int32_product

_INT32 = np.iinfo(np.int32)

_RANGES = {
    # Nothing wraps, and float32 would do.
    "small": (-9, 9),
    # Products of more than 24 bits, which float32 rounds; sums of a hundred of them still fit into 31.
    "past-24-bits": (-6000, 6000),
    # A factor that is taken for an unsigned one, or a pad of something else than zero, stands out.
    "negative": (-40_000, -1),
    # Nearly every product wraps around.
    "full-range": (_INT32.min, _INT32.max),
    "zero": (0, 0),
}
_EXTREMES = np.array([_INT32.min, _INT32.min + 1, -1, 1, _INT32.max], np.int32)


class MatmulInt32(Lab):
    """Matrix multiplication of integers, row-major."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [m][k] and ``b`` [k][n] from the integers that the case names."""
        m, n, k = (case.sizes[name] for name in ("m", "n", "k"))
        return {"a": _draw(case.inputs, (m, k), rng), "b": _draw(case.inputs, (k, n), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the shapes say it all
        """Multiply modulo 2**32."""
        return {"c": Expected(int32_product(inputs["a"], inputs["b"]))}


def _draw(name: str, shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.int32]:
    if name == "equal":
        return np.full(shape, rng.integers(1000, 100_000), np.int32)
    if name == "extremes":
        return rng.choice(_EXTREMES, shape)
    low, high = _RANGES[name]
    return rng.integers(low, high, shape, dtype=np.int32, endpoint=True)
