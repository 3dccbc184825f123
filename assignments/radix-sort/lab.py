"""Sorting 32-bit keys by their digits of four bits, the lowest first."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, KernelSpec, Lab, Steps

_MOST = 2**32 - 1


class RadixSort(Lab):
    """``y`` holds the keys of ``x``, the smallest first."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw keys in the order that the case names."""
        n = case.sizes["n"]
        x = rng.integers(0, _MOST, n, endpoint=True)
        match case.inputs:
            case "random":
                pass
            case "few":
                x = x % 5
            case "high":
                x = x >> 28 << 28
            case "backwards":
                x = np.sort(x)[::-1]
            case "extremes":
                x = rng.choice([0, 1, 2**31 - 1, 2**31, _MOST], n)
            case unknown:
                msg = f"unknown order {unknown!r}"
                raise ValueError(msg)
        return {"x": x.astype(np.uint32)}

    def steps(self, kernel: KernelSpec, case: Case, steps: Steps) -> None:
        """Move the keys eight times, from ``x`` to ``other`` and on to ``y`` and back, by one digit each."""
        del kernel, case
        source, target, free = "x", "other", "y"
        for shift in range(0, 32, 4):
            steps.fill("counts", 0)
            steps.launch("count_digits", x=source, shift=shift)
            steps.launch("scan_counts")
            steps.launch("scatter", x=source, y=target, shift=shift)
            source, target, free = target, free, target

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Sort."""
        del case
        return {"y": Expected(np.sort(inputs["x"]))}
