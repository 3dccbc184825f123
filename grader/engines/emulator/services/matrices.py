"""Multiply matrices in the registers of a warp.

Products of float16 are exact in float32. They are added in float32, to the accumulator first, in ascending order of
the inner index, each sum rounded to nearest; a float16 result is rounded once at the end. Integers are exact.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.decode.program import MatrixShape
from grader.engines.emulator.services.request import Request

_DTYPES = {"f16": np.float16, "f32": np.float32, "s32": np.int32, "s8": np.int8, "u8": np.uint8}
_LARGEST = np.iinfo(np.int32)


def multiply(request: Request) -> None:
    """Compute ``d = a b + c``."""
    shape = request.call.detail
    if not isinstance(shape, MatrixShape):
        msg = f"a matrix product without a shape: {request.call}"
        raise TypeError(msg)
    registers = [request.source(index) for index in range(len(request.call.sources))]
    first, second, _ = shape.registers
    a = _matrix(registers[:first], shape.multiplicand, shape.m, shape.k, by_rows=shape.a_by_rows)
    b = _matrix(
        registers[first : first + second], shape.multiplicand, shape.k, shape.n, by_rows=shape.b_by_rows
    )
    c = _matrix(registers[first + second :], shape.accumulator, shape.m, shape.n, by_rows=True)
    product = _float_product(a, b, c) if shape.multiplicand == "f16" else _integer_product(a, b, c, shape)
    with np.errstate(over="ignore"):
        words = product.astype(_DTYPES[shape.result]).reshape(-1).view(np.int32).reshape(-1, 32)
    for index, row in enumerate(words):
        request.answer(index, row)


def _matrix(
    registers: list[NDArray[Any]], element: str, rows: int, columns: int, *, by_rows: bool
) -> NDArray[Any]:
    """A fragment as a matrix; ``decode.wmma`` defines the order of its elements."""
    elements = np.concatenate(registers).view(_DTYPES[element])[: rows * columns]
    return elements.reshape(rows, columns) if by_rows else elements.reshape(columns, rows).T


def _float_product(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[np.float32]:
    wide_a, wide_b, total = a.astype(np.float32), b.astype(np.float32), c.astype(np.float32)
    with np.errstate(all="ignore"):
        for inner in range(a.shape[1]):
            total = total + wide_a[:, inner, None] * wide_b[None, inner, :]
    return total


def _integer_product(
    a: NDArray[Any], b: NDArray[Any], c: NDArray[Any], shape: MatrixShape
) -> NDArray[np.int64]:
    total = c.astype(np.int64) + a.astype(np.int64) @ b.astype(np.int64)
    return np.clip(total, _LARGEST.min, _LARGEST.max) if shape.saturates else total
