"""The elements of an array that are above a threshold, in any order."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_FEW = 0.01
"""The share of elements that are kept where few are."""


class StreamCompaction(Lab):
    """``x`` has ``n`` elements; ``count`` says how many elements of ``out`` are the answer."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw elements above and below the threshold, in the share that the case names; at least one is above."""
        n, threshold = case.sizes["n"], case.values["threshold"]
        distance = rng.uniform(0.001, 1, n)
        match case.inputs:
            case "half":
                kept = rng.random(n) < 1 / 2
                kept[n // 2] = True
            case "kept":
                kept = np.ones(n, bool)
            case "few":
                kept = rng.random(n) < _FEW
                kept[n // 2] = True
            case "last":
                kept = np.arange(n) == n - 1
            case "equal":
                kept = np.arange(n) % 2 == 1
                distance = np.where(kept, distance, 0.0)
            case unknown:
                msg = f"unknown share {unknown!r}"
                raise ValueError(msg)
        return {"x": np.where(kept, threshold + distance, threshold - distance).astype(np.float32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Filter."""
        x = inputs["x"]
        kept = x[x > np.float32(case.values["threshold"])].astype(np.float64)
        return {
            "count": Expected(np.array([len(kept)])),
            "out": Expected(kept, length=len(kept), counted_by="count", unordered=True),
        }
