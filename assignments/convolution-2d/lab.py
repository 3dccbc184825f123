"""A mask over an image in float32, with zeros around the image."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, summation_scale


class Convolution2d(Lab):
    """``out[r][c]`` is the sum of ``mask[i][j] * image[r + i - m // 2][c + j - m // 2]``; ``m`` is odd."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw the image, and weights that no two positions share."""
        m = case.sizes["m"]
        return {
            "image": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng),
            "mask": rng.uniform(0.1, 1.0, (m, m)).astype(np.float32),
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Add up shifted images in float64."""
        rows, cols, m = (case.sizes[name] for name in ("rows", "cols", "m"))
        padded = np.pad(inputs["image"].astype(np.float64), m // 2)
        value = np.zeros((rows, cols))
        squares = np.zeros((rows, cols))
        for (i, j), weight in np.ndenumerate(inputs["mask"].astype(np.float64)):
            product = weight * padded[i : i + rows, j : j + cols]
            value += product
            squares += np.square(product)
        return {"out": Expected(value, scale=summation_scale(m * m, value, squares, 0.0))}
