"""Matrix times vector: right float32 kernels pass in any order of addition, imprecise ones do not."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.assignments.float32_sums import (
    LABS,
    ORDERS,
    Float32,
    case_of,
    flushed,
    half_precision,
    sequential,
    share_of_tolerance,
)

LAB = LABS["matvec"]
INPUTS = sorted({case.inputs for case in LAB.manifest.cases})


@pytest.mark.parametrize("cols", [1, 3, 33, 1000, 4099])
@pytest.mark.parametrize("distribution", INPUTS)
@pytest.mark.parametrize("order", ORDERS)
def test_products_in_any_order_pass_with_room_to_spare(
    order: Callable[[Float32], Float32], distribution: str, cols: int
) -> None:
    case = case_of(LAB, distribution, rows=300, cols=cols)
    inputs = LAB.inputs(case, np.random.default_rng(cols))
    with np.errstate(under="ignore"):
        terms = inputs["a"] * inputs["x"]
    assert share_of_tolerance(LAB, case, inputs, order(terms)) < 0.5


@pytest.mark.parametrize("distribution", ["normal", "negative"])
@pytest.mark.parametrize("cols", [1, 33, 257, 1031])
def test_products_of_inputs_in_half_precision_are_wrong(distribution: str, cols: int) -> None:
    case = case_of(LAB, distribution, rows=50, cols=cols)
    inputs = LAB.inputs(case, np.random.default_rng(cols))
    sloppy = sequential(half_precision(inputs["a"]) * half_precision(inputs["x"]))
    assert share_of_tolerance(LAB, case, inputs, sloppy) > 1


@pytest.mark.parametrize("distribution", INPUTS)
@pytest.mark.parametrize("forgotten", [0, -1])
def test_a_product_that_forgets_one_column_is_wrong(distribution: str, forgotten: int) -> None:
    case = case_of(LAB, distribution, rows=33, cols=129)
    inputs = LAB.inputs(case, np.random.default_rng(3))
    with np.errstate(under="ignore"):
        terms = np.delete(inputs["a"] * inputs["x"], forgotten, axis=1)
    assert share_of_tolerance(LAB, case, inputs, sequential(terms)) > 1


def test_flushing_subnormal_numbers_to_zero_is_no_mistake() -> None:
    case = case_of(LAB, "tiny", rows=300, cols=90)
    inputs = LAB.inputs(case, np.random.default_rng(5))
    assert np.any(flushed(inputs["a"]) != inputs["a"]), "the case has no subnormal numbers"
    terms = flushed(flushed(inputs["a"]) * inputs["x"])
    assert share_of_tolerance(LAB, case, inputs, flushed(sequential(terms))) < 1
