"""Labs that make one number out of each row of a matrix: what they have in common."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.distributions import draw
from grader.labs.lab import Arrays, Expected, Lab
from grader.labs.manifest import Case


class RowWise(Lab):
    """``out[row]`` is something of row ``row`` of ``a`` [rows][cols], float32, stored row by row.

    A lab says what in ``of_rows``; its manifest takes its cases from ``case_set = "row-wise"``.
    """

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [rows][cols]."""
        return {"a": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the shape of ``a`` says it all
        """What ``of_rows`` says of ``a`` in float64."""
        return {"out": self.of_rows(inputs["a"].astype(np.float64))}

    @abstractmethod
    def of_rows(self, a: NDArray[np.float64]) -> Expected:
        """The right number for each row of ``a`` [rows][cols], and its error scale: both [rows]."""
