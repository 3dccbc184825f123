"""Row sums of squares: right float32 kernels pass in any order of addition, wrong ones do not."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.assignments.float32_sums import (
    FINITE,
    LABS,
    ORDERS,
    SMALLEST_NORMAL,
    Float32,
    case_of,
    flushed,
    half_precision,
    sequential,
    share_of_tolerance,
)

LAB = LABS["row-sum-squares"]


def fused(elements: Float32) -> Float32:
    """Sum with one rounding for a square and its addition: fused multiply-adds."""
    total = np.zeros(elements.shape[0], np.float32)
    for column in elements.T.astype(np.float64):
        total = (total.astype(np.float64) + column * column).astype(np.float32)
    return total


@pytest.mark.parametrize("cols", [1, 2, 31, 1000, 4096])
@pytest.mark.parametrize("distribution", FINITE)
@pytest.mark.parametrize("order", ORDERS)
def test_sums_in_any_order_pass_with_room_to_spare(
    order: Callable[[Float32], Float32], distribution: str, cols: int
) -> None:
    case = case_of(LAB, distribution, rows=300, cols=cols)
    inputs = LAB.inputs(case, np.random.default_rng(cols))
    with np.errstate(under="ignore"):
        squares = np.square(inputs["a"])
    assert share_of_tolerance(LAB, case, inputs, order(squares)) < 0.5


@pytest.mark.parametrize("distribution", FINITE)
def test_sums_by_fused_multiply_adds_pass_with_room_to_spare(distribution: str) -> None:
    case = case_of(LAB, distribution, rows=300, cols=1000)
    inputs = LAB.inputs(case, np.random.default_rng(5))
    assert share_of_tolerance(LAB, case, inputs, fused(inputs["a"])) < 0.5


@pytest.mark.parametrize("distribution", FINITE)
def test_no_sum_of_squares_is_too_large_or_nothing(distribution: str) -> None:
    case = case_of(LAB, distribution, rows=100, cols=8192)
    inputs = LAB.inputs(case, np.random.default_rng(6))
    sums = LAB.oracle(case, inputs)["out"].value
    assert sums.max() < np.finfo(np.float32).max / 1e4
    assert sums.min() > SMALLEST_NORMAL


def test_subnormal_squares_may_be_flushed() -> None:
    case = case_of(LAB, "tiny", rows=300, cols=90)
    inputs = LAB.inputs(case, np.random.default_rng(7))
    with np.errstate(under="ignore"):
        squares = np.square(inputs["a"])
    assert 0.1 < (squares < SMALLEST_NORMAL).mean() < 0.6
    assert share_of_tolerance(LAB, case, inputs, flushed(sequential(flushed(squares)))) < 1


@pytest.mark.parametrize("case_name", ["ragged", "task-size", "negative-values", "wide", "tall"])
def test_sums_of_inputs_in_half_precision_are_wrong(case_name: str) -> None:
    case = next(case for case in LAB.manifest.cases if case.name == case_name)
    inputs = LAB.inputs(case, np.random.default_rng(1))
    sloppy = sequential(np.square(half_precision(inputs["a"])))
    assert share_of_tolerance(LAB, case, inputs, sloppy) > 1


@pytest.mark.parametrize("distribution", FINITE)
@pytest.mark.parametrize("forgotten", [0, -1])
def test_a_sum_that_forgets_one_column_is_wrong(distribution: str, forgotten: int) -> None:
    case = case_of(LAB, distribution, rows=33, cols=129)
    inputs = LAB.inputs(case, np.random.default_rng(3))
    with np.errstate(under="ignore"):
        squares = np.square(np.delete(inputs["a"], forgotten, axis=1))
    assert share_of_tolerance(LAB, case, inputs, sequential(squares)) > 1
