"""Kernels over vectors, structs, booleans and numbers of 8 and 16 bits."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

BODY = np.dtype(
    {
        "names": ["position", "mass", "tag"],
        "formats": [(np.float32, (3,)), np.float32, np.uint8],
        "offsets": [0, 12, 16],
        "itemsize": 20,
    }
)


class Elements(Lab):
    """Each kernel has outputs of another type."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        n, shape = case.sizes["n"], (case.sizes["rows"], case.sizes["cols"], 4)
        bodies = np.zeros(n, BODY)
        bodies["position"], bodies["mass"] = rng.standard_normal((n, 3)), rng.random(n)
        bodies["tag"] = rng.integers(0, 256, n)
        return {
            "image": rng.integers(0, 256, shape, np.uint8),
            "x": rng.standard_normal(n).astype(np.float16),
            "y": rng.standard_normal(n).astype(np.float16),
            "bodies": bodies,
            "signs": rng.integers(-9, 10, n).astype(np.int16),
            "count": np.zeros(1, np.int32),
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        alpha, signs = case.values["alpha"], inputs["signs"]
        moved = inputs["bodies"].astype(BODY)
        moved["position"] += np.float32(alpha)
        grey = inputs["image"][..., :3].astype(np.float64) @ [0.299, 0.587, 0.114]
        kept = signs[signs > 0]
        steps = [(i, case.sizes["n"] - i, case.values["lens"]) for i in range(3)]
        steps.append((*case.values["last"], {"kind": case.sizes["n"] - 1, "weights": [1, 2], "gain": 0.5}))
        return {
            "lit": Expected(self.lit(case, inputs["x"].astype(np.float64)), rtol=1e-12),
            "sums": Expected(np.array([sum(map(self.added, steps))] * case.sizes["n"])),
            "out": Expected(np.floor(grey).astype(np.int64), atol=1),
            "y": Expected(alpha * inputs["x"].astype(np.float64) + inputs["y"].astype(np.float64), ulp=1, atol=1e-3),
            "bodies": Expected(moved),
            "flags": Expected(signs > 0),
            "kept": Expected(kept, length=len(kept), counted_by="count", unordered=True),
            "count": Expected(np.array([len(kept)])),
        }

    @staticmethod
    def lit(case: Case, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Each number of the values has a weight of its own."""
        lens, ramp = case.values["lens"], case.values["ramp"]
        sign = -1 if case.values["negative"] else 1
        lamp = sum(3**i * number for i, number in enumerate([*ramp, *case.values["tint"]]))
        return sign * x * lamp + lens["kind"] + 7 * lens["weights"][0] + 11 * lens["weights"][1] + lens["gain"]

    @staticmethod
    def added(step: tuple[int, int, dict[str, Any]]) -> int:
        """What one launch adds to each sum."""
        first, second, lens = step
        return int(first + 3 * second + lens["kind"] + 4 * (lens["weights"][0] - lens["weights"][1]) + 2 * lens["gain"])
