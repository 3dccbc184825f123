"""Gravity among n bodies in float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, summation_scale

_ROUNDINGS = 8.0
"""How many units of roundoff one term may be off."""
_PAIRS = 2**16
"""How many pairs of bodies the oracle treats at a time: their arrays fit into a cache."""
_AXES = range(3)
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
        rows = max(1, _PAIRS // len(bodies))
        parts = [
            _terms(bodies[first : first + rows], bodies, softening) for first in range(0, len(bodies), rows)
        ]
        value, squares, off = (np.concatenate(part) for part in zip(*parts, strict=True))
        scale = summation_scale(len(bodies), value, squares, 0.0)
        return {"out": Expected(value, scale=scale + off)}


def _terms(
    some: NDArray[np.float64], every: NDArray[np.float64], softening: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """For each of ``some`` bodies: the sum of the terms, the sum of their squares, and how far all may be off.

    Pairs are treated axis by axis, as sums along three neighbouring numbers take several times as long.
    """
    axes = [(every[np.newaxis, :, axis], some[:, np.newaxis, axis]) for axis in _AXES]
    steps = [theirs - mine for theirs, mine in axes]
    distance = sum((step * step for step in steps), start=np.float64(softening))
    pull = every[np.newaxis, :, 3] / (distance * np.sqrt(distance))
    terms = [pull * step for step in steps]
    squares = np.column_stack([np.einsum("ij,ij->i", term, term) for term in terms])
    off = np.sqrt(squares) * _ROUNDINGS
    # A difference of positions is rounded too, by at most half a unit of itself; the largest term is off the most.
    off += np.column_stack([np.abs(term).max(axis=1) for term in terms])
    return np.column_stack([term.sum(axis=1) for term in terms]), squares, off
