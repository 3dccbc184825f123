"""Exclusive prefix sums of int32, in three steps and in one pass."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, KernelSpec, Lab, Steps

SEGMENT = 1024
"""How many elements one block scans."""


class ExclusiveScan(Lab):
    """``y[i]`` is the sums of all elements before ``i``, modulo 2**32."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw numbers of the kind that the case names."""
        n = case.sizes["n"]
        x: NDArray[Any]
        match case.inputs:
            case "small":
                x = rng.integers(1, 100, n)
            case "ones":
                x = np.ones(n)
            case "last":
                x = np.where(np.arange(n) == n - 1, 1000, 0) + np.where(np.arange(n) == n // 2, 7, 0)
            case "large":
                x = rng.integers(2**30, 2**31, n)
            case "negative":
                x = rng.integers(-1000, 0, n)
            case unknown:
                msg = f"unknown kind of numbers {unknown!r}"
                raise ValueError(msg)
        return {"x": x.astype(np.int32)}

    def steps(self, kernel: KernelSpec, case: Case, steps: Steps) -> None:
        """Scan segments, scan their sums in the same way, and add these to the segments."""
        if kernel.name == "exclusive_scan":
            _scan(steps, "x", "y", case.sizes["n"])
        else:
            steps.fill("state", 0)
            steps.launch("scan_in_one_pass")

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Add up, and keep the low 32 bits."""
        del case
        before = np.cumsum(inputs["x"].astype(np.int64)) - inputs["x"]
        return {"y": Expected(before.astype(np.int32))}


def _scan(steps: Steps, x: str, y: str, n: int, level: int = 0) -> None:
    blocks = -(-n // SEGMENT)
    sums = steps.scratch(f"sums_{level}", "int32", blocks)
    steps.launch("scan_blocks", x=x, y=y, sums=sums, n=n)
    if blocks > 1:
        offsets = steps.scratch(f"offsets_{level}", "int32", blocks)
        _scan(steps, sums, offsets, blocks, level + 1)
        steps.launch("add_offsets", y=y, offsets=offsets, n=n)
