"""Copies from an offset and with a stride: inputs and the trusted copies."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw


class CopyStride(Lab):
    """``x`` is just long enough for both kernels, so that whatever reads beyond its last element is caught."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``x``."""
        return {"x": draw(case.inputs, (_length(case.sizes),), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Pick the same numbers out of ``x``."""
        n, offset, stride = (case.sizes[name] for name in ("n", "offset", "stride"))
        x = inputs["x"]
        return {
            "shifted": Expected(value=x[offset : offset + n]),
            "gathered": Expected(value=x[: (n - 1) * stride + 1 : stride]),
        }


def _length(sizes: Mapping[str, int]) -> int:
    """How far the kernel that reaches further does reach."""
    return max(sizes["n"] + sizes["offset"], (sizes["n"] - 1) * sizes["stride"] + 1)
