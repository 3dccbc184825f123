"""Inputs and tolerances: a right float32 kernel passes in any order of addition, an imprecise one does not."""

from collections.abc import Callable

import numpy as np
import pytest

from grader.labs.distributions import draw
from tests.assignments.float32_sums import (
    FINITE,
    LABS,
    ORDERS,
    SMALLEST_NORMAL,
    UNIT_ROUNDOFF,
    Float32,
    case_of,
    flushed,
    half_precision,
    sequential,
    share_of_tolerance,
)


@pytest.mark.parametrize("cols", [1, 2, 31, 1000, 4096])
@pytest.mark.parametrize("distribution", FINITE)
@pytest.mark.parametrize("order", ORDERS)
def test_row_sums_in_any_order_pass_with_room_to_spare(
    order: Callable[[Float32], Float32], distribution: str, cols: int
) -> None:
    lab = LABS["row-sum"]
    case = case_of(lab, distribution, rows=300, cols=cols)
    inputs = lab.inputs(case, np.random.default_rng(cols))
    assert share_of_tolerance(lab, case, inputs, order(inputs["a"])) < 0.5


@pytest.mark.parametrize("distribution", FINITE)
@pytest.mark.parametrize("order", ORDERS)
def test_products_in_any_order_pass_with_room_to_spare(
    order: Callable[[Float32], Float32], distribution: str
) -> None:
    lab = LABS["matmul"]
    for m, n, k in [(1, 1, 1), (3, 4, 2), (40, 30, 257)]:
        case = case_of(lab, distribution, m=m, n=n, k=k)
        inputs = lab.inputs(case, np.random.default_rng(k))
        with np.errstate(under="ignore"):
            terms = inputs["a"][:, np.newaxis, :] * inputs["b"].T[np.newaxis, :, :]
        assert share_of_tolerance(lab, case, inputs, order(terms)) < 0.5


@pytest.mark.parametrize("case_name", ["ragged", "task-size", "negative-values", "wide", "tall"])
def test_row_sums_of_inputs_in_half_precision_are_wrong(case_name: str) -> None:
    lab = LABS["row-sum"]
    case = next(case for case in lab.manifest.cases if case.name == case_name)
    inputs = lab.inputs(case, np.random.default_rng(1))
    assert share_of_tolerance(lab, case, inputs, sequential(half_precision(inputs["a"]))) > 1


@pytest.mark.parametrize("k", [1, 33, 257, 1024])
def test_products_of_inputs_in_tf32_are_wrong(k: int) -> None:
    lab = LABS["matmul"]
    case = case_of(lab, "normal", m=20, n=20, k=k)
    inputs = lab.inputs(case, np.random.default_rng(k))
    a, b = (half_precision(inputs[name]).astype(np.float64) for name in "ab")
    assert share_of_tolerance(lab, case, inputs, (a @ b).astype(np.float32)) > 1


@pytest.mark.parametrize("distribution", ["normal", "negative", "equal", "huge", "one-huge", "tiny"])
@pytest.mark.parametrize("forgotten", [0, -1])
def test_a_sum_that_forgets_one_column_is_wrong(distribution: str, forgotten: int) -> None:
    lab = LABS["row-sum"]
    case = case_of(lab, distribution, rows=33, cols=129)
    inputs = lab.inputs(case, np.random.default_rng(3))
    some = np.delete(inputs["a"], forgotten, axis=1)
    assert share_of_tolerance(lab, case, inputs, sequential(some)) > 1


NOTHING_BUT_ZEROS = {
    ("exclusive-scan", "one-element"),
    ("function-table", "one-entry"),
    ("function-table", "no-step"),
    ("matmul-int32", "zeros"),
    ("n-body", "one-body"),
}
"""Cases with a right result of zero everywhere: the sine of zero, products with zeros, elements without others."""


def test_zeros_are_wrong_unless_the_case_expects_zeros() -> None:
    for lab in LABS.values():
        for case in lab.manifest.cases:
            if max(case.sizes.values()) > 2000 or (lab.name, case.name) in NOTHING_BUT_ZEROS:
                continue
            for output, expected in lab.oracle(case, lab.inputs(case, np.random.default_rng(4))).items():
                if expected.false_alarm:
                    continue  # random: of a few points, none may hit
                allowed = (
                    lab.manifest.tolerance.factor * UNIT_ROUNDOFF * np.asarray(expected.scale) + expected.atol
                )
                assert np.max(np.abs(expected.value) - allowed) > 0, f"{lab.name}, {case.name}, {output}"


def test_flushing_subnormal_numbers_to_zero_is_no_mistake() -> None:
    row_sum = LABS["row-sum"]
    case = case_of(row_sum, "tiny", rows=300, cols=90)
    inputs = row_sum.inputs(case, np.random.default_rng(5))
    assert np.any(flushed(inputs["a"]) != inputs["a"]), "the case has no subnormal numbers"
    assert share_of_tolerance(row_sum, case, inputs, flushed(sequential(flushed(inputs["a"])))) < 1

    matmul = LABS["matmul"]
    case = case_of(matmul, "tiny", m=30, n=30, k=45)
    inputs = matmul.inputs(case, np.random.default_rng(6))
    terms = flushed(inputs["a"])[:, np.newaxis, :] * inputs["b"].T[np.newaxis, :, :]
    assert share_of_tolerance(matmul, case, inputs, flushed(sequential(flushed(terms)))) < 1


def test_a_transpose_may_change_nothing() -> None:
    lab = LABS["transpose"]
    case = case_of(lab, "tiny", rows=5, cols=7)
    inputs = lab.inputs(case, np.random.default_rng(7))
    (expected,) = lab.oracle(case, inputs).values()
    assert lab.manifest.tolerance.factor == 0
    assert expected.value.tobytes() == np.ascontiguousarray(inputs["a"].T).tobytes()


@pytest.mark.parametrize("distribution", FINITE)
def test_a_distribution_depends_on_its_seed_alone(distribution: str) -> None:
    one = draw(distribution, (40, 30), np.random.default_rng(8))
    same = draw(distribution, (40, 30), np.random.default_rng(8))
    assert one.dtype == np.float32
    assert np.isfinite(one).all()
    assert np.array_equal(one, same)


def test_distributions_are_what_their_names_say() -> None:
    shape = (20, 50)
    rng = np.random.default_rng(9)
    assert (draw("negative", shape, rng) < 0).all()
    assert len(np.unique(draw("equal", shape, rng))) == 1
    assert np.abs(draw("huge", shape, rng)).max() > 1e28
    assert (np.abs(draw("one-huge", shape, rng)) > 1e4).sum(axis=1).tolist() == [1] * 20
    tiny = np.abs(draw("tiny", shape, rng))
    assert 0.1 < (tiny < SMALLEST_NORMAL).mean() < 0.6


def test_an_unknown_distribution_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"'gaussian'.*equal.*normal"):
        draw("gaussian", (1,), np.random.default_rng())
