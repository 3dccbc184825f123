"""Sparse matrix times vector: the drawn pattern, and the accepted results."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs import Case
from tests.assignments.float32_sums import (
    LABS,
    Float32,
    case_of,
    flushed,
    half_precision,
)

LAB = LABS["spmv"]
INPUTS = sorted({case.inputs for case in LAB.manifest.cases})
Inputs = dict[str, NDArray[Any]]
SMALL = [case for case in LAB.manifest.cases if case.sizes["nnz"] < 100_000]


def drawn(case: Case, seed: int = 1) -> Inputs:
    return LAB.inputs(case, np.random.default_rng(seed))


def row_lengths(inputs: Inputs) -> NDArray[np.int64]:
    return np.diff(inputs["row_starts"]).astype(np.int64)


def by_rows(inputs: Inputs, terms: Float32, lanes: int = 1) -> Float32:
    """Add the terms of each row in float32: each of the lanes adds in sequence, then the lanes' sums are added."""
    starts = inputs["row_starts"]
    y = np.zeros(len(starts) - 1, np.float32)
    for row, (start, end) in enumerate(pairwise(starts)):
        sums = [np.cumsum(terms[start + lane : end : lanes]) for lane in range(min(lanes, end - start))]
        if sums:
            y[row] = np.cumsum(np.array([partial[-1] for partial in sums], np.float32))[-1]
    return y


def products(inputs: Inputs) -> Float32:
    with np.errstate(under="ignore"):
        terms: Float32 = inputs["values"] * inputs["x"][inputs["columns"]]
    return terms


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_a_matrix_has_exactly_the_nonzeros_that_its_case_names(case: Case, seed: int) -> None:
    inputs = drawn(case, seed)
    lengths = row_lengths(inputs)
    assert (inputs["row_starts"][0], inputs["row_starts"][-1]) == (0, case.sizes["nnz"])
    assert len(inputs["columns"]) == len(inputs["values"]) == case.sizes["nnz"]
    assert lengths.min() >= 0
    assert lengths.max() <= case.sizes["cols"]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_the_columns_of_a_row_ascend_and_are_there(case: Case) -> None:
    inputs = drawn(case)
    assert inputs["columns"].min() >= 0
    assert inputs["columns"].max() < case.sizes["cols"]
    row_of = np.repeat(np.arange(case.sizes["rows"]), row_lengths(inputs))
    position = row_of * case.sizes["cols"] + inputs["columns"]
    assert np.all(np.diff(position) > 0)


@pytest.mark.parametrize("seed", range(5))
def test_rows_differ_in_length_as_the_handout_says(seed: int) -> None:
    case = next(case for case in LAB.manifest.cases if case.name == "medium")
    lengths = row_lengths(drawn(case, seed))
    assert np.mean(lengths == 0) >= 0.25
    assert np.median(lengths) < np.mean(lengths)
    assert lengths.max() > 100 * np.mean(lengths)


def test_a_matrix_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="3 x 4 has no room for 13 nonzeros"):
        drawn(case_of(LAB, "normal", rows=3, cols=4, nnz=13))


@pytest.mark.parametrize("distribution", INPUTS)
@pytest.mark.parametrize("lanes", [1, 8, 32, 128])
def test_products_in_any_order_pass_with_room_to_spare(lanes: int, distribution: str) -> None:
    case = case_of(LAB, distribution, rows=1500, cols=3000, nnz=15000)
    inputs = drawn(case, lanes)
    assert row_lengths(inputs).max() > 1000
    with np.errstate(invalid="ignore"):
        assert share(case, inputs, by_rows(inputs, products(inputs), lanes)) < 0.5


def share(case: Case, inputs: Inputs, output: Float32) -> float:
    """Return ``share_of_tolerance`` of the rows that have terms; empty rows must be zero."""
    lengths = row_lengths(inputs)
    assert not output[lengths == 0].any()
    (expected,) = LAB.oracle(case, inputs).values()
    allowed = LAB.manifest.tolerance.factor * 2.0**-24 * np.asarray(expected.scale)
    error = np.abs(output.astype(np.float64) - expected.value)
    return float(np.max(error[lengths > 0] / allowed[lengths > 0]))


def test_an_empty_row_must_be_exactly_zero() -> None:
    case = case_of(LAB, "normal", rows=100, cols=100, nnz=30)
    inputs = drawn(case)
    (expected,) = LAB.oracle(case, inputs).values()
    empty = row_lengths(inputs) == 0
    assert empty.any()
    assert not expected.value[empty].any()
    assert not np.asarray(expected.scale)[empty].any()


def test_the_oracle_is_that_of_the_dense_matrix() -> None:
    case = case_of(LAB, "normal", rows=60, cols=70, nnz=900)
    inputs = drawn(case)
    dense = np.zeros((60, 70))
    row_of = np.repeat(np.arange(60), row_lengths(inputs))
    dense[row_of, inputs["columns"]] = inputs["values"]
    (expected,) = LAB.oracle(case, inputs).values()
    np.testing.assert_allclose(expected.value, dense @ inputs["x"].astype(np.float64), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("distribution", ["normal", "negative"])
def test_products_of_inputs_in_half_precision_are_wrong(distribution: str) -> None:
    case = case_of(LAB, distribution, rows=200, cols=300, nnz=3000)
    inputs = drawn(case)
    sloppy = inputs | {name: half_precision(inputs[name]) for name in ("values", "x")}
    assert share(case, inputs, by_rows(inputs, products(sloppy))) > 1


@pytest.mark.parametrize("distribution", INPUTS)
def test_a_row_that_forgets_its_last_nonzero_is_wrong(distribution: str) -> None:
    case = case_of(LAB, distribution, rows=40, cols=300, nnz=2000)
    inputs = drawn(case)
    terms = products(inputs)
    terms[inputs["row_starts"][1:][row_lengths(inputs) > 0] - 1] = 0
    assert share(case, inputs, by_rows(inputs, terms)) > 1


def test_flushing_subnormal_numbers_to_zero_is_no_mistake() -> None:
    case = case_of(LAB, "tiny", rows=300, cols=90, nnz=3000)
    inputs = drawn(case)
    assert np.any(flushed(inputs["values"]) != inputs["values"]), "the case has no subnormal numbers"
    terms = flushed(flushed(inputs["values"]) * inputs["x"][inputs["columns"]])
    assert share(case, inputs, flushed(by_rows(inputs, terms))) < 1
