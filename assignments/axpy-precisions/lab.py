"""a * x + y in double and in half precision."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw


class AxpyPrecisions(Lab):
    """``y`` becomes ``a * x + y`` in double, ``v`` becomes ``b * u + v`` in half precision."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw vectors; numbers in double precision have digits that float32 would lose."""
        n = (case.sizes["n"],)
        doubles = {
            name: draw(case.inputs, n, rng).astype(np.float64) * (1 + 1e-9 * rng.random(n)) for name in "xy"
        }
        return {**doubles, **{name: draw(case.inputs, n, rng).astype(np.float16) for name in "uv"}}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """In extended precision, and in float64 for half precision.

        The answer in double is itself rounded to double, which may be off by another unit of roundoff.
        """
        a, b = case.values["a"], float(np.float16(case.values["b"]))
        x, y = (inputs[name].astype(np.longdouble) for name in "xy")
        u, v = (inputs[name].astype(np.float64) for name in "uv")
        return {
            "y": _sum(np.longdouble(a) * x, y, roundings=2),
            "v": _sum(b * u, v, roundings=1),
        }


def _sum(product: NDArray[Any], other: NDArray[Any], roundings: int) -> Expected:
    """The sum, of which the kernel's result and ``value`` are rounded as often as ``roundings`` says."""
    value = (product + other).astype(np.float64)
    return Expected(value, scale=np.abs(product).astype(np.float64) + roundings * np.abs(value))
