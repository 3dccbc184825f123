"""The kernels of the courses, in Numba, against NumPy."""

# ruff: noqa: ANN001, ANN201 - kernels get their types from the arguments they are compiled for
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from typing import Any

import numpy as np
import pytest
from numba import cuda, float32, int32
from numpy.typing import NDArray

from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.plan import Dim3
from grader.model.reason import reason
from tools.emulator.compiling import InOut, Out, run_numba
from tools.messages import english

RNG = np.random.default_rng(11)
TILE = 16


def matrix(*shape: int) -> NDArray[np.float32]:
    return RNG.standard_normal(shape).astype(np.float32)


def naive(a, b, c):
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, col]
        c[row, col] = total


def tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    col, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for step in range((a.shape[1] + TILE - 1) // TILE):
        tile_a[y, x] = 0
        tile_b[y, x] = 0
        if row < a.shape[0] and x + step * TILE < a.shape[1]:
            tile_a[y, x] = a[row, x + step * TILE]
        if col < b.shape[1] and y + step * TILE < b.shape[0]:
            tile_b[y, x] = b[y + step * TILE, col]
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[y, k] * tile_b[k, x]
        cuda.syncthreads()
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = total


@pytest.mark.parametrize("kernel", [naive, tiled])
def test_matrix_products_are_right(kernel: Any) -> None:
    a, b = matrix(33, 17), matrix(17, 41)
    ran = run_numba(kernel, Dim3(x=3, y=3), Dim3(x=16, y=16), {"a": a, "b": b, "c": Out((33, 41))})
    assert np.allclose(ran["c"], a.astype(float) @ b, rtol=1e-5, atol=1e-5)
    assert [d for d in ran.result.diagnostics if d.severity is Severity.ERROR] == []


def row_sum(a, out):
    shared = cuda.shared.array(128, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    total = float32(0)
    for i in range(t, a.shape[1], cuda.blockDim.x):
        total += a[row, i]
    shared[t] = total
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half > 0:
        if t < half:
            shared[t] += shared[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        out[row] = shared[0]


def test_rows_are_summed_in_shared_memory() -> None:
    a = matrix(50, 300)
    ran = run_numba(row_sum, 50, 128, {"a": a, "out": Out((50,))})
    assert np.allclose(ran["out"], a.sum(axis=1), rtol=1e-4, atol=1e-4)
    assert [d for d in ran.result.diagnostics if d.severity is Severity.ERROR] == []


def transpose(a, out):
    tile = cuda.shared.array((32, 33), float32)
    x = cuda.blockIdx.x * 32 + cuda.threadIdx.x
    y = cuda.blockIdx.y * 32 + cuda.threadIdx.y
    if y < a.shape[0] and x < a.shape[1]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * 32 + cuda.threadIdx.x
    y = cuda.blockIdx.x * 32 + cuda.threadIdx.y
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


def test_a_matrix_is_transposed_without_bank_conflicts() -> None:
    a = matrix(37, 45)
    ran = run_numba(transpose, Dim3(x=2, y=2), Dim3(x=32, y=32), {"a": a, "out": Out((45, 37))})
    assert np.array_equal(ran["out"], a.T)
    assert ran.counters.bank_conflicts == 0


def histogram(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(bins, x[i], 1)


def test_a_histogram_is_counted() -> None:
    x = RNG.integers(0, 16, 1000, dtype=np.int32)
    ran = run_numba(histogram, 8, 128, {"x": x, "bins": InOut(np.zeros(16, np.int32))})
    assert np.array_equal(ran["bins"], np.bincount(x, minlength=16))


def shuffled(x, out):
    total = x[cuda.grid(1)]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, offset)
        offset //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, total)


def test_warps_are_summed_by_shuffles() -> None:
    x = matrix(256)
    ran = run_numba(shuffled, 2, 128, {"x": x, "out": InOut(np.zeros(1, np.float32))})
    assert np.isclose(ran["out"][0], x.sum(), rtol=1e-4, atol=1e-4)


def negative(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[-1] + a[-1 - i]


def test_a_negative_index_counts_from_the_end() -> None:
    a = matrix(40)
    ran = run_numba(negative, 1, 64, {"a": a, "out": Out((40,))})
    assert np.array_equal(ran["out"], a[-1] + a[::-1])
    assert ran.found(DiagnosticKind.OUT_OF_BOUNDS) == []


def doubles(a, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] ** 2 / 3.0 + abs(a[i]) ** 0.5 - i // 3 + i % 7


def test_double_precision_powers_and_integer_division() -> None:
    a = RNG.standard_normal(100)
    ran = run_numba(doubles, 1, 128, {"a": a, "out": Out((100,), np.float64)})
    i = np.arange(100)
    assert np.allclose(ran["out"], a**2 / 3 + np.sqrt(abs(a)) - i // 3 + i % 7, rtol=1e-14)


def past_the_end(a, out):
    i = cuda.grid(1)
    out[i] = a[i]


def test_a_missing_guard_is_found_at_its_line() -> None:
    a = matrix(100)
    ran = run_numba(past_the_end, 1, 128, {"a": a, "out": Out((100,))})
    assert ran.fault is not None
    line = past_the_end.__code__.co_firstlineno + 2
    assert ran.lines(DiagnosticKind.OUT_OF_BOUNDS) == {line}
    assert "buffer a" in english(ran.fault.reason)


def no_barrier(a, out):
    shared = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    shared[t] = a[t]
    out[t] = shared[63 - t]


def test_a_missing_barrier_is_found_with_both_lines() -> None:
    a = np.arange(64, dtype=np.int32)
    ran = run_numba(no_barrier, 1, 64, {"a": a, "out": Out((64,), np.int32)})
    (race,) = ran.found(DiagnosticKind.SHARED_RACE)
    first = no_barrier.__code__.co_firstlineno
    assert race.severity is Severity.ERROR
    assert race.line == first + 4
    assert f"line {first + 3}" in english(race.message)
    assert "cuda.syncthreads()" in english(race.advice)


def two_tiles(a, out):
    first = cuda.shared.array(64, int32)
    second = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    first[i] = a[i]
    second[i] = a[i]
    cuda.syncthreads()
    first[i] = second[i]
    out[i] = second[63 - i] + first[63 - i]


def test_anonymous_shared_arrays_count_in_their_kernel() -> None:
    ran = run_numba(two_tiles, 1, 64, {"a": np.arange(64, dtype=np.int32), "out": Out((64,), np.int32)})
    (race,) = ran.found(DiagnosticKind.SHARED_RACE)
    assert race.message.params["subject"] == reason("shared-array-by-number", number=1)
