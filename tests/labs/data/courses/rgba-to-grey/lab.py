"""A grey image from colours, within one."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class RgbaToGrey(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        shape = (case.sizes["rows"], case.sizes["cols"], 4)
        return {"image": rng.integers(0, 256, shape).astype(np.uint8)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        value = inputs["image"][..., :3] @ np.array([0.299, 0.587, 0.114])
        return {"out": Expected(np.floor(value).astype(np.int64), atol=1)}
