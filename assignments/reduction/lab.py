"""The sum of n values, int32 with wrap-around and float32: the trusted sums."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, BlockSums, Case, Expected, draw, summation_scale

_INT32 = np.iinfo(np.int32)
_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)


class Reduction(BlockSums):
    """``a_sums[0]`` is the sum of ``a`` in int32, ``x_sums[0]`` that of ``x`` in float32."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``x`` [n] as the case says; integers are as large as they come, so that their sums wrap around."""
        n = case.sizes["n"]
        a = rng.integers(_INT32.min, _INT32.max, n, dtype=np.int32, endpoint=True)
        if case.inputs == "normal":  # the largest arrays: no detour by float64
            return {"a": a, "x": rng.standard_normal(n, dtype=np.float32)}
        return {"a": a, "x": draw(case.inputs, (n,), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Add up in int32, where NumPy wraps around too, and in float64."""
        n = case.sizes["n"]
        x = inputs["x"]
        total = x.sum(dtype=np.float64, keepdims=True)
        squares = np.array([sum(float(np.square(part, dtype=np.float64).sum()) for part in _parts(x))])
        scale = summation_scale(n, total, squares, n * _SMALLEST_NORMAL)
        return {
            "a_sums": Expected(inputs["a"].sum(dtype=np.int32, keepdims=True)),
            "x_sums": Expected(total, scale),
        }


def _parts(x: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """``x`` in pieces so small that their squares fit into memory beside it."""
    return np.array_split(x, -(-len(x) // 2**22))
