"""After how many steps each point leaves the circle of radius two."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab


class Mandelbrot(Lab):
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        return {}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        exact, other = (self.counts(case, slack) for slack in (0.0, 1e-9))
        return {"steps": Expected(exact, mask=exact == other)}

    @staticmethod
    def counts(case: Case, slack: float) -> NDArray[np.int64]:
        """The steps of all points; ``slack`` moves each a little."""
        left, top, pitch = (case.values[name] for name in ("left", "top", "pitch"))
        x = left + pitch * np.arange(case.sizes["cols"]) + slack
        y = top + pitch * np.arange(case.sizes["rows"]) + slack
        point = x[None, :] + 1j * y[:, None]
        value, count = np.zeros_like(point), np.zeros(point.shape, np.int64)
        for _ in range(case.sizes["most"]):
            stays = np.abs(value) <= 2
            count += stays
            value = np.where(stays, value * value + point, value)
        return count
