"""Sorting int32 by a bitonic network, for any length."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, KernelSpec, Lab, Steps

SEGMENT = 1024
"""How many elements a block sorts."""
_LEAST, _MOST = -(2**31), 2**31 - 1


class BitonicSort(Lab):
    """``y`` holds the elements of ``x``, the smallest first."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw numbers in the order that the case names."""
        n = case.sizes["n"]
        x = rng.integers(_LEAST, _MOST, n, endpoint=True)
        match case.inputs:
            case "random":
                pass
            case "few":
                x = x % 5
            case "halves":
                x = np.roll(np.sort(x), n // 2)
            case "backwards":
                x = np.sort(x)[::-1]
            case "extremes":
                x = rng.choice([_LEAST, -1, 0, _MOST], n)
            case unknown:
                msg = f"unknown order {unknown!r}"
                raise ValueError(msg)
        return {"x": x.astype(np.int32)}

    def steps(self, kernel: KernelSpec, case: Case, steps: Steps) -> None:
        """Sort segments, then merge pairs of ever longer ones; comparisons within a segment are one launch."""
        del kernel
        n = case.sizes["n"]
        work = steps.scratch("work", "int32", n)
        steps.copy("x", work)
        steps.launch("sort_segments", y=work)
        size = 2 * SEGMENT
        while size < 2 * n:
            stride = size // 2
            while stride >= SEGMENT:
                steps.launch("merge_step", y=work, size=size, stride=stride)
                stride //= 2
            steps.launch("finish_segments", y=work)
            size *= 2
        steps.copy(work, "y")

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Sort."""
        del case
        return {"y": Expected(np.sort(inputs["x"]))}
