"""A sparse matrix in ELL format times a vector."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class EllSpmv(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        shape = (case.sizes["width"], case.sizes["rows"])
        columns = rng.integers(-1, case.sizes["cols"], shape).astype(np.int32)
        return {
            "values": rng.standard_normal(shape).astype(np.float32),
            "columns": columns,
            "x": rng.standard_normal(case.sizes["cols"]).astype(np.float32),
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        terms = inputs["values"].astype(np.float64) * inputs["x"][inputs["columns"]]
        terms[inputs["columns"] < 0] = 0
        return {"y": Expected(terms.sum(axis=0), scale=np.abs(terms).sum(axis=0))}
