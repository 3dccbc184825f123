"""Means of rows and columns: right float32 kernels pass in any order of addition, wrong ones do not."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs import Case
from tests.assignments.float32_sums import (
    FINITE,
    LABS,
    ORDERS,
    UNIT_ROUNDOFF,
    Float32,
    case_of,
    flushed,
    half_precision,
    sequential,
)

LAB = LABS["row-mean"]


def share_of_tolerance(
    case: Case, inputs: dict[str, NDArray[Any]], output: str, answer: NDArray[Any]
) -> float:
    """Return the largest error as a share of the lab's tolerance: above 1, the output is wrong."""
    expected = LAB.oracle(case, inputs)[output]
    allowed = LAB.manifest.tolerance.factor * UNIT_ROUNDOFF * np.asarray(expected.scale)
    return float(np.max(np.abs(answer.astype(np.float64) - expected.value) / allowed))


def test_rows_and_columns_are_averaged_over_their_own_lengths() -> None:
    case = case_of(LAB, "normal", rows=2, cols=3)
    inputs = {"a": np.array([[1, 2, 3], [4, 5, 9]], np.float32)}
    expected = LAB.oracle(case, inputs)
    assert expected["row_means"].value.tolist() == [2, 6]
    assert expected["column_means"].value.tolist() == [2.5, 3.5, 6]


@pytest.mark.parametrize("cols", [1, 2, 31, 1000, 4096])
@pytest.mark.parametrize("distribution", FINITE)
@pytest.mark.parametrize("order", ORDERS)
def test_means_in_any_order_pass_by_division_or_multiplication(
    order: Callable[[Float32], Float32], distribution: str, cols: int
) -> None:
    case = case_of(LAB, distribution, rows=300, cols=cols)
    inputs = LAB.inputs(case, np.random.default_rng(cols))
    for output, rows in (("row_means", inputs["a"]), ("column_means", inputs["a"].T)):
        terms = np.float32(rows.shape[1])
        sums = order(rows)
        assert share_of_tolerance(case, inputs, output, sums / terms) < 0.5
        assert share_of_tolerance(case, inputs, output, sums * (np.float32(1) / terms)) < 0.5


def test_flushing_subnormal_numbers_to_zero_is_no_mistake() -> None:
    case = case_of(LAB, "tiny", rows=45, cols=90)
    inputs = LAB.inputs(case, np.random.default_rng(5))
    for output, rows in (("row_means", inputs["a"]), ("column_means", inputs["a"].T)):
        means = flushed(flushed(sequential(flushed(rows))) / np.float32(rows.shape[1]))
        assert share_of_tolerance(case, inputs, output, means) < 1


@pytest.mark.parametrize("case_name", ["ragged", "task-size", "negative-values", "wide", "tall"])
def test_means_of_inputs_in_half_precision_are_wrong(case_name: str) -> None:
    case = next(case for case in LAB.manifest.cases if case.name == case_name)
    inputs = LAB.inputs(case, np.random.default_rng(1))
    for output, rows in (("row_means", inputs["a"]), ("column_means", inputs["a"].T)):
        sloppy = sequential(half_precision(rows.copy())) / np.float32(rows.shape[1])
        assert share_of_tolerance(case, inputs, output, sloppy) > 1


@pytest.mark.parametrize("distribution", FINITE)
@pytest.mark.parametrize("forgotten", [0, -1])
def test_a_mean_that_forgets_one_element_is_wrong(distribution: str, forgotten: int) -> None:
    case = case_of(LAB, distribution, rows=33, cols=129)
    inputs = LAB.inputs(case, np.random.default_rng(3))
    for output, rows in (("row_means", inputs["a"]), ("column_means", inputs["a"].T)):
        some = sequential(np.delete(rows, forgotten, axis=1)) / np.float32(rows.shape[1])
        assert share_of_tolerance(case, inputs, output, some) > 1


@pytest.mark.parametrize("case_name", ["ragged", "wide", "tall", "negative-values"])
def test_a_mean_over_the_wrong_extent_is_wrong(case_name: str) -> None:
    case = next(case for case in LAB.manifest.cases if case.name == case_name)
    inputs = LAB.inputs(case, np.random.default_rng(4))
    for output, rows in (("row_means", inputs["a"]), ("column_means", inputs["a"].T)):
        assert share_of_tolerance(case, inputs, output, sequential(rows) / np.float32(rows.shape[0])) > 1
