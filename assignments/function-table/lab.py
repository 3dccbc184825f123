"""A table of sin(sqrt(x)) in float32: its step, its coefficients and the trusted entries."""

from collections.abc import Mapping
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_COEFFICIENTS = np.array([(-1) ** k / factorial(2 * k + 1) for k in range(1, 6)], np.float32)
_STEPS = {"fine": 2.0**-10, "unit": 1.0, "coarse": 100.0, "zero": 0.0}
_FLOOR_OF_THE_FAST_SINE = 2.0


class FunctionTable(Lab):
    """``y[i]`` and ``y_fast[i]`` are ``sin(sqrt(i * step[0]))`` for ``n`` values of ``i``."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``step`` [1], from the upper half of the distribution's range; ``c`` is always the same."""
        step = rng.uniform(0.5, 1.0, 1) * _STEPS[case.inputs]
        return {"c": _COEFFICIENTS.copy(), "step": step.astype(np.float32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Root and sine in float64. The scales are the argument's size, the sine's, and the fast sine's own error."""
        argument = np.sqrt(np.arange(case.sizes["n"]) * inputs["step"].astype(np.float64))
        value = np.sin(argument)
        scale = argument + np.abs(value)
        return {
            "y": Expected(value, scale),
            "y_fast": Expected(value, scale + _FLOOR_OF_THE_FAST_SINE),
        }
