"""Four steps of heat in a box, with two arrays that change places."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, KernelSpec, Lab, Steps, draw

STEPS = 4


class Stencil3d(Lab):
    """``old`` and ``out`` have ``depth`` planes of ``rows`` x ``cols`` cells; no heat leaves."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw the heat of each cell."""
        shape = (case.sizes["depth"], case.sizes["rows"], case.sizes["cols"])
        return {"old": draw(case.inputs, shape, rng)}

    def steps(self, kernel: KernelSpec, case: Case, steps: Steps) -> None:
        """Each step reads what the step before has written; the last one writes the answer."""
        shape = (case.sizes["depth"], case.sizes["rows"], case.sizes["cols"])
        here, there = steps.scratch("here", "float32", *shape), steps.scratch("there", "float32", *shape)
        steps.launch(kernel.name, out=here)
        for _ in range(STEPS - 2):
            steps.launch(kernel.name, old=here, out=there)
            here, there = there, here
        steps.launch(kernel.name, old=here)

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """The same steps in float64."""
        alpha = float(np.float32(case.values["alpha"]))
        heat = inputs["old"].astype(np.float64)
        off = np.zeros(heat.shape)
        for _ in range(STEPS):
            size = np.abs(heat) + alpha * sum(np.abs(each) for each in _neighbours(heat))
            off = off + alpha * sum(each - off for each in _neighbours(off)) + size
            heat = heat + alpha * sum(each - heat for each in _neighbours(heat))
        return {"out": Expected(heat, scale=off)}


def _neighbours(cells: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The six neighbours of each cell; the cell itself stands in for one that does not exist."""
    found = []
    for axis in range(cells.ndim):
        padded = np.concatenate([cells.take([0], axis), cells, cells.take([-1], axis)], axis)
        count = cells.shape[axis]
        found += [padded.take(range(first, first + count), axis) for first in (0, 2)]
    return found
