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
        lengths = np.diff(inputs["row_starts"].astype(np.int64))
        row_of = np.repeat(np.arange(rows), lengths)
        values = inputs["values"].astype(np.float64)
        x = inputs["x"].astype(np.float64)[inputs["columns"]]
        product, squares, factors = (
            np.bincount(row_of, weights=terms, minlength=rows)
            for terms in (values * x, np.square(values * x), np.abs(values) + np.abs(x))
        )
        flushed = _SMALLEST_NORMAL * (2 * lengths + factors)
        return {"y": Expected(value=product, scale=summation_scale(lengths, product, squares, flushed))}


def _row_lengths(rows: int, cols: int, nnz: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Nonzeros of each row, ``nnz`` in all: a few long rows, many short ones, some empty.

    Raises: ``ValueError`` where the matrix has no room for ``nnz`` nonzeros.
    """
    if nnz > rows * cols:
        msg = f"{rows} x {cols} has no room for {nnz} nonzeros"
        raise ValueError(msg)
    # Squares of exponential numbers: most are small, their largest is some tens of times the average.
    weights = np.square(rng.exponential(size=rows))
    order = rng.permutation(rows)
    empty = int(_SHARE_OF_EMPTY_ROWS * rows)
    weights[order[:empty]] = 0.0
    if rows > 1:
        long = order[empty : empty + math.ceil(rows / _ROWS_PER_LONG_ROW)]
        weights[long] = 0.0
        ratio = _SHARE_OF_LONG_ROWS / (1 - _SHARE_OF_LONG_ROWS)
        weights[long] = ratio * weights.sum() / len(long) * rng.uniform(0.5, 1.5, len(long))
    lengths = np.minimum(_shares(weights, nnz), cols)
    # What did not fit into its row goes where there is room: into every row, in proportion.
    return lengths + _shares(cols - lengths, nnz - int(lengths.sum()))


def _shares(weights: NDArray[Any], total: int) -> NDArray[np.int64]:
    """``total`` shared out in whole numbers, in proportion to ``weights`` and rounded up or down."""
    if total == 0:
        return np.zeros(len(weights), np.int64)
    bounds = np.floor(np.cumsum(weights, dtype=np.float64) / weights.sum() * total).astype(np.int64)
    bounds[-1] = total
    return np.diff(bounds, prepend=0)


def _columns(lengths: NDArray[np.int64], cols: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The columns of all nonzeros: ascending and different within a row, one of each of its equal parts."""
    nnz = int(lengths.sum())
    length = np.repeat(lengths, lengths)
    place = np.arange(nnz) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    low, high = place * cols // length, (place + 1) * cols // length
    columns: NDArray[np.int64] = rng.integers(low, high)
    return columns
