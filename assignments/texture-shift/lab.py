"""A shifted image, clamped at its borders: inputs and the trusted copy."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw


class TextureShift(Lab):
    """Both kernels get the same image, one of them as a texture."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``image`` [rows][cols]."""
        return {"image": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Look up where every pixel comes from; beyond the border the nearest pixel counts."""
        rows, cols, down, right = (case.sizes[name] for name in ("rows", "cols", "down", "right"))
        from_row = np.clip(np.arange(rows) - down, 0, rows - 1)
        from_col = np.clip(np.arange(cols) - right, 0, cols - 1)
        return {"out": Expected(value=inputs["image"][np.ix_(from_row, from_col)])}
