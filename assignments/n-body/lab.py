"""Gravity among n bodies in float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, summation_scale

_ROUNDINGS = 8.0
"""How many units of roundoff one term may be off."""
_ROWS = 512
"""How many bodies the oracle treats at a time."""
_FAR = 1e4


class NBody(Lab):
    """``bodies`` are x, y, z and mass; ``out`` is the acceleration of each."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw positions and masses."""
        n = case.sizes["n"]
        places = rng.standard_normal((n, 3))
        masses = rng.uniform(0.5, 2.0, n)
        match case.inputs:
            case "normal":
                pass
            case "centre":
                masses[0] = 1000.0
                places[0] = 0.0
            case "far":
                places *= _FAR
            case "together":
                places[1:] = places[0]
                places[0] += 1.0
            case unknown:
                msg = f"unknown arrangement {unknown!r}"
                raise ValueError(msg)
        return {"bodies": np.column_stack([places, masses]).astype(np.float32)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Add up all pairs in float64."""
        bodies = inputs["bodies"].astype(np.float64)
        softening = float(np.float32(case.values["softening"]))
        parts = [
            _terms(bodies[first : first + _ROWS], bodies, softening) for first in range(0, len(bodies), _ROWS)
        ]
        value, squares, off = (np.concatenate(part) for part in zip(*parts, strict=True))
        scale = summation_scale(len(bodies), value, squares, 0.0)
        return {"out": Expected(value, scale=scale + off)}


def _terms(
    some: NDArray[np.float64], every: NDArray[np.float64], softening: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """For each of ``some`` bodies: the sum of the terms, the sum of their squares, and how far all may be off."""
    step = every[np.newaxis, :, :3] - some[:, np.newaxis, :3]
    reach = np.abs(every[np.newaxis, :, :3]) + np.abs(some[:, np.newaxis, :3])
    distance = np.square(step).sum(axis=2) + softening
    pull = every[np.newaxis, :, 3] / distance**1.5
    term = pull[..., np.newaxis] * step
    # A rounded difference of positions is exact to half a unit of the larger of the difference and the positions' own.
    off = np.sqrt(np.square(term).sum(axis=1)) * _ROUNDINGS
    off += np.abs(pull[..., np.newaxis] * np.where(step == 0, 0, np.minimum(np.abs(step), reach))).max(axis=1)
    return term.sum(axis=1), np.square(term).sum(axis=1), off
