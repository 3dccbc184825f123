"""The heat of a plate at rest: sweeps of Jacobi's method until nothing moves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw

_OUTPUTS = ("relaxed", "solved")
_NEIGHBOURS = 4


class Jacobi(Lab):
    """``source`` [rows][cols] is what comes to each cell; outside the plate it is cold."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw the sources."""
        return {"source": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Sweep in float64 until float32 could show no difference.

        A sweep brings any two states together by ``4 / (4 + loss)``. So a state that the next sweep moves by at most
        ``least`` is at most ``least * (4 + loss) / loss`` away from the heat at rest.
        """
        loss, least = case.values["loss"], case.values["least"]
        source = inputs["source"].astype(np.float64)
        heat = np.zeros(source.shape)
        while True:
            old, heat = heat, _sweep(heat, source, loss)
            if np.abs(heat - old).max() <= least * 1e-3:
                break
        away = least * (_NEIGHBOURS + loss) / loss
        return {name: Expected(heat, scale=np.abs(heat), atol=away) for name in _OUTPUTS}

    def check(
        self, case: Case, inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, NDArray[Any]]
    ) -> str | None:
        """Whether the heat is at rest: one more sweep moves no cell by more than ``least``."""
        source = inputs["source"].astype(np.float64)
        for name in _OUTPUTS:
            if name not in outputs:
                continue
            heat = outputs[name].astype(np.float64)
            moved = float(np.abs(_sweep(heat, source, case.values["loss"]) - heat).max())
            if moved > case.values["least"]:
                return f"{name} is not at rest: the next sweep moves a cell by {moved:.2g}"
        return None


def _sweep(heat: NDArray[np.float64], source: NDArray[np.float64], loss: float) -> NDArray[np.float64]:
    """The plate after one more sweep."""
    cold = np.pad(heat, 1)
    around = cold[1:-1, :-2] + cold[1:-1, 2:] + cold[:-2, 1:-1] + cold[2:, 1:-1]
    return (around + source) / (_NEIGHBOURS + loss)
