"""The places where an element equals the next one, in any order."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class FindRepeats(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {"a": rng.integers(0, 3, case.sizes["n"]).astype(np.int32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        places = np.flatnonzero(inputs["a"][:-1] == inputs["a"][1:])
        return {
            "count": Expected(np.array([len(places)])),
            "found": Expected(places, length=len(places), counted_by="count", unordered=True),
        }
