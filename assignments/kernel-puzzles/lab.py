"""Thirteen small kernels, from a map to a matrix product."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, float32_product, summation_scale

SEGMENT = 256
"""Elements that ``reverse_segments``, ``dot`` and ``prefix_sum`` take together."""
WINDOW = 3
TEN = 10.0

_Float64 = NDArray[np.float64]
_SHAPES = {
    "a": ("few",),
    "b": ("few",),
    "square": ("side", "side"),
    "column": ("side",),
    "row": ("side",),
    "x": ("n",),
    "y": ("n",),
    "weights": ("taps",),
    "left": ("rows", "inner"),
    "right": ("inner", "cols"),
}


class KernelPuzzles(Lab):
    """Each part reads inputs that no part writes, and has one output of its own."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw every input from the same distribution."""
        return {
            name: draw(case.inputs, tuple(case.sizes[size] for size in shape), rng)
            for name, shape in _SHAPES.items()
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Each part in float64."""
        a, b, square, column, row, x, y, weights, left, _ = (
            inputs[name].astype(np.float64) for name in _SHAPES
        )
        before = np.pad(x, (WINDOW - 1, 0))
        behind = np.pad(x, (0, case.sizes["taps"] - 1))
        return {
            "mapped": _rounded(a + TEN),
            "zipped": _rounded(a + b),
            "guarded": _rounded(a * TEN),
            "shifted": _rounded(square + TEN),
            "table": _rounded(column[:, np.newaxis] + row),
            "lifted": _rounded(x + TEN),
            "backwards": _rounded(np.concatenate([part[::-1] for part in _cut(x)])),
            "pooled": _sum(np.lib.stride_tricks.sliding_window_view(before, WINDOW)),
            "products": _sum(_segments(x * y)),
            "convolved": _sum(np.lib.stride_tricks.sliding_window_view(behind, len(weights)) * weights),
            "sums": _prefix_sums(x),
            "row_sums": _sum(left),
            "product": float32_product(inputs["left"], inputs["right"]),
        }


def _rounded(value: _Float64) -> Expected:
    """A result of one operation."""
    return Expected(value, scale=np.abs(value))


def _sum(terms: _Float64) -> Expected:
    """The sum over the last axis."""
    total = terms.sum(axis=-1)
    return Expected(total, scale=summation_scale(terms.shape[-1], total, np.square(terms).sum(axis=-1), 0.0))


def _cut(x: _Float64) -> list[_Float64]:
    return [x[first : first + SEGMENT] for first in range(0, len(x), SEGMENT)]


def _segments(x: _Float64) -> _Float64:
    """``x`` as rows of ``SEGMENT`` elements, the last one filled up with zeros."""
    return np.pad(x, (0, -len(x) % SEGMENT)).reshape(-1, SEGMENT)


def _prefix_sums(x: _Float64) -> Expected:
    """Each sum up to an element within its segment; that of a tree may add and take away larger sums."""
    segments = _segments(x)
    totals, squares = np.cumsum(segments, axis=1), np.cumsum(np.square(segments), axis=1)
    largest = np.maximum.accumulate(np.abs(totals), axis=1)
    scale = summation_scale(SEGMENT, largest, squares, 0.0)
    return Expected(totals.ravel()[: len(x)], scale=np.ravel(scale)[: len(x)])
