"""y = A·x in float32, A sparse in CSR: a pattern of rows of very different length, and the trusted product."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw, summation_scale

_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_EXTREMES = frozenset({"huge", "tiny"})
_ROWS_PER_LONG_ROW = 1024
_SHARE_OF_LONG_ROWS = 0.25
"""Of the nonzeros: a long row is 256 times as long as the average."""
_SHARE_OF_EMPTY_ROWS = 0.25
"""Of the rows."""


class Spmv(Lab):
    """A sparse matrix times a vector."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw the matrix [rows][cols] with ``nnz`` nonzeros, and ``x`` [cols].

        Extremes are the matrix' alone: extremes of both would overflow, or vanish, in every product.
        """
        rows, cols, nnz = (case.sizes[name] for name in ("rows", "cols", "nnz"))
        partner = "normal" if case.inputs in _EXTREMES else case.inputs
        lengths = _row_lengths(rows, cols, nnz, rng)
        return {
            "row_starts": np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            "columns": _columns(lengths, cols, rng).astype(np.int32),
            "values": draw(case.inputs, (nnz,), rng),
            "x": draw(partner, (cols,), rng),
        }

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Multiply and add in float64, where the product of two float32 numbers is exact."""
        rows = case.sizes["rows"]
        starts = inputs["row_starts"].astype(np.int64)
        lengths = starts[1:] - starts[:-1]
        row_of = np.repeat(np.arange(rows), lengths)

        def by_row(terms: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.bincount(row_of, weights=terms, minlength=rows).astype(np.float64)

        values = inputs["values"].astype(np.float64)
        x = inputs["x"].astype(np.float64)[inputs["columns"]]
        product = by_row(values * x)
        squares = by_row(np.square(values * x))
        flushed = _SMALLEST_NORMAL * (2.0 * lengths + by_row(np.abs(values) + np.abs(x)))
        return {"y": Expected(value=product, scale=summation_scale(lengths, product, squares, flushed))}


def _row_lengths(rows: int, cols: int, nnz: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Nonzeros of each row, ``nnz`` in all: a few long rows, many short ones, some empty.

    Raises: ``ValueError`` where the matrix has no room for ``nnz`` nonzeros.
    """
    if nnz > rows * cols:
        msg = f"{rows} x {cols} has no room for {nnz} nonzeros"
        raise ValueError(msg)
    # Lengths are always the same and only their positions are drawn, so that no kernel is faster by luck.
    order = rng.permutation(rows)
    empty = int(_SHARE_OF_EMPTY_ROWS * rows)
    beyond = empty + (math.ceil(rows / _ROWS_PER_LONG_ROW) if rows > 1 else 0)
    long, short = order[empty:beyond], order[beyond:]
    weights = np.zeros(rows)
    # Squares of what is exponentially distributed: most are small, their largest is some tens of times the average.
    weights[short] = np.square(np.log(_middles(len(short))))
    ratio = _SHARE_OF_LONG_ROWS / (1 - _SHARE_OF_LONG_ROWS)
    weights[long] = ratio * weights.sum() / max(1, len(long)) * (0.5 + _middles(len(long)))
    bounds = np.floor(np.cumsum(weights) / weights.sum() * nnz).astype(np.int64)
    bounds[-1] = nnz
    lengths: NDArray[np.int64] = np.minimum(np.diff(bounds, prepend=0), cols)
    # What did not fit into its row goes to others, each as much as it has room for; to empty ones last of all.
    order = order[::-1]
    room = (cols - lengths)[order]
    before = np.cumsum(room) - room
    lengths[order] += np.clip(nnz - lengths.sum() - before, 0, room)
    return lengths


def _middles(count: int) -> NDArray[np.float64]:
    """The middles of ``count`` equal parts of the numbers from 0 to 1."""
    middles: NDArray[np.float64] = (np.arange(count) + 0.5) / count
    return middles


def _columns(lengths: NDArray[np.int64], cols: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The columns of all nonzeros: ascending and different within a row, one of each of its equal parts."""
    nnz = int(lengths.sum())
    length = np.repeat(lengths, lengths)
    index = np.arange(nnz) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    low, high = index * cols // length, (index + 1) * cols // length
    columns: NDArray[np.int64] = rng.integers(low, high)
    return columns
