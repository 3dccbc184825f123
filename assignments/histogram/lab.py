"""How often each byte occurs, in images of several kinds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_VALUES = 256
_DARK_SHARE = 0.9
"""Of the pixels of a dark image: they are black."""


class Histogram(Lab):
    """``data`` has ``n`` bytes, ``counts`` a number for each value of a byte."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw the pixels of an image of the kind that the case names."""
        n = case.sizes["n"]
        noise = rng.integers(0, _VALUES, n)
        data: NDArray[Any]
        match case.inputs:
            case "image":
                data = _photograph(n, rng)
            case "noise":
                data = noise
            case "dark":
                data = np.where(rng.random(n) < _DARK_SHARE, 0, noise)
            case "equal":
                data = np.full(n, rng.integers(1, _VALUES))
            case "ramp":
                data = np.arange(n) % _VALUES
            case "white":
                data = np.full(n, _VALUES - 1)
            case unknown:
                msg = f"unknown kind of image {unknown!r}"
                raise ValueError(msg)
        return {"data": data.astype(np.uint8)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the array has the size
        """Count."""
        return {"counts": Expected(np.bincount(inputs["data"], minlength=_VALUES).astype(np.int64))}


def _photograph(n: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Brightness that changes slowly from pixel to pixel, with a little noise: neighbours are often equal."""
    position = np.arange(n) / max(1, n)
    waves = sum(np.sin(2 * np.pi * (rng.uniform(1, 20) * position + rng.random())) for _ in range(4))
    pixels: NDArray[np.float64] = np.clip(128 + 30 * waves + rng.normal(0, 2, n), 0, _VALUES - 1)
    return pixels
