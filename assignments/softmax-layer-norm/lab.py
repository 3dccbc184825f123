"""Softmax and layer norm of each row of a matrix in float32."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_EPSILON = 1e-5
_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_UNIT_ROUNDOFF = 2.0**-24


class SoftmaxLayerNorm(Lab):
    """Both kernels read ``x`` [rows][cols]; ``layer_norm`` has a weight and a bias per column."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw a matrix, weights and biases."""
        rows, cols = case.sizes["rows"], case.sizes["cols"]
        x = rng.standard_normal((rows, cols))
        match case.inputs:
            case "normal":
                pass
            case "large":
                x *= 300.0
            case "shifted":
                x += 500.0
            case "equal":
                x[:] = 0.75
            case "one-large":
                x[:, cols // 2] = 90.0
            case unknown:
                msg = f"unknown distribution {unknown!r}"
                raise ValueError(msg)
        weight, bias = rng.uniform(0.5, 1.5, cols), rng.uniform(0.5, 1.0, cols)
        return {
            name: array.astype(np.float32) for name, array in (("x", x), ("weight", weight), ("bias", bias))
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the arrays have the sizes
        """Both in float64."""
        x, weight, bias = (inputs[name].astype(np.float64) for name in ("x", "weight", "bias"))
        return {"out": _softmax(x), "normalised": _layer_norm(x, weight, bias)}


def _softmax(x: NDArray[np.float64]) -> Expected:
    below = x - x.max(axis=1, keepdims=True)
    powers = np.exp(below)
    value = powers / powers.sum(axis=1, keepdims=True)
    scale = value * (4 - below + np.sqrt(x.shape[1]) / 2) + _SMALLEST_NORMAL / _UNIT_ROUNDOFF
    return Expected(value, scale=scale)


def _layer_norm(x: NDArray[np.float64], weight: NDArray[np.float64], bias: NDArray[np.float64]) -> Expected:
    root = np.sqrt(x.shape[1])
    sigma = np.sqrt(x.var(axis=1, keepdims=True) + _EPSILON)
    scaled = weight * (x - x.mean(axis=1, keepdims=True)) / sigma
    value = scaled + bias
    size = 4 * np.abs(x).max(axis=1, keepdims=True) + root / 8 * np.abs(x).mean(axis=1, keepdims=True)
    return Expected(
        value, scale=weight / sigma * size + (4 + root / 4) * np.abs(scaled) + np.abs(value) + bias
    )
