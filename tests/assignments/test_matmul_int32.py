"""The numbers of `matmul-int32`: one right answer in any order, and which mistakes its inputs reveal."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs import Arrays, Case
from tools.labs import built_in_labs

LAB = built_in_labs().get("matmul-int32")
KINDS = sorted({case.inputs for case in LAB.manifest.cases})
NOT_ZERO = [kind for kind in KINDS if kind != "zero"]
Int32 = NDArray[np.int32]
INT32 = np.iinfo(np.int32)


def case_of(inputs: str, m: int, n: int, k: int) -> Case:
    return replace(LAB.manifest.cases[0], sizes={"m": m, "n": n, "k": k}, inputs=inputs)


def drawn(inputs: str, m: int, n: int, k: int) -> tuple[Case, Arrays]:
    case = case_of(inputs, m, n, k)
    return case, LAB.inputs(case, np.random.default_rng(k))


def right(case: Case, inputs: Arrays) -> NDArray[Any]:
    return LAB.oracle(case, inputs)["c"].value


def terms(inputs: Arrays) -> Int32:
    """Return all products a[row, i] * b[i, col], in int32, with i as the last index."""
    products: Int32 = inputs["a"][:, np.newaxis, :] * inputs["b"].T[np.newaxis, :, :]
    return products


def added_in_turn(products: Int32) -> Int32:
    return products.cumsum(axis=-1, dtype=np.int32)[..., -1]


def exact(inputs: Arrays) -> NDArray[Any]:
    """Return the product in Python's integers, which have no size limit."""
    product: NDArray[Any] = inputs["a"].astype(object) @ inputs["b"].astype(object)
    return product


@pytest.mark.parametrize("kind", KINDS)
def test_the_inputs_have_the_shapes_and_the_type_of_the_manifest(kind: str) -> None:
    _, inputs = drawn(kind, 3, 4, 5)
    assert {name: (array.shape, array.dtype) for name, array in inputs.items()} == {
        "a": ((3, 5), np.dtype(np.int32)),
        "b": ((5, 4), np.dtype(np.int32)),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_the_oracle_is_the_product_modulo_2_to_the_32(kind: str) -> None:
    case, inputs = drawn(kind, 9, 11, 70)
    wrapped = (exact(inputs) + 2**31) % 2**32 - 2**31
    assert np.array_equal(right(case, inputs), wrapped.astype(np.int64))


@pytest.mark.parametrize("kind", KINDS)
def test_integer_sums_are_the_same_in_every_order(kind: str) -> None:
    case, inputs = drawn(kind, 13, 17, 259)
    products = terms(inputs)
    shuffled = np.random.default_rng(1).permutation(products, axis=-1)
    halves = added_in_turn(products[..., :100]) + added_in_turn(products[..., 100:])
    for output in (
        added_in_turn(products),
        added_in_turn(products[..., ::-1]),
        added_in_turn(shuffled),
        halves,
    ):
        assert np.array_equal(output, right(case, inputs))


@pytest.mark.parametrize("kind", NOT_ZERO)
@pytest.mark.parametrize("forgotten", [0, -1])
def test_a_forgotten_term_is_wrong(kind: str, forgotten: int) -> None:
    case, inputs = drawn(kind, 9, 8, 47)
    output = added_in_turn(np.delete(terms(inputs), forgotten, axis=-1))
    assert not np.array_equal(output, right(case, inputs))


def in_float32(inputs: Arrays) -> NDArray[np.float32]:
    products = inputs["a"][:, np.newaxis, :].astype(np.float32) * inputs["b"].T[np.newaxis, :, :].astype(
        np.float32
    )
    return products.cumsum(axis=-1, dtype=np.float32)[..., -1]


def test_float32_sums_are_right_up_to_24_bits_and_wrong_beyond() -> None:
    case, inputs = drawn("small", 20, 20, 50)
    assert np.array_equal(in_float32(inputs), right(case, inputs))
    case, inputs = drawn("past-24-bits", 20, 20, 50)
    assert np.array_equal(exact(inputs), right(case, inputs)), (
        "nothing wraps, so it is the float that is wrong"
    )
    assert not np.array_equal(in_float32(inputs), right(case, inputs))


@pytest.mark.parametrize("kind", ["full-range", "extremes", "negative"])
def test_sums_that_are_clamped_are_wrong(kind: str) -> None:
    case, inputs = drawn(kind, 12, 10, 61)
    clamped = np.clip(exact(inputs), INT32.min, INT32.max).astype(np.int32)
    assert not np.array_equal(clamped, right(case, inputs))


@pytest.mark.parametrize("kind", ["full-range", "extremes", "negative", "equal"])
def test_factors_cut_to_16_bits_are_wrong(kind: str) -> None:
    case, inputs = drawn(kind, 12, 10, 61)
    cut = {name: array.astype(np.int16).astype(np.int32) for name, array in inputs.items()}
    assert not np.array_equal(added_in_turn(terms(cut)), right(case, inputs))


def test_sums_past_24_bits_do_not_wrap_in_any_case() -> None:
    for case in LAB.manifest.cases:
        if case.inputs == "past-24-bits":
            _, inputs = drawn(case.inputs, *(case.sizes[name] for name in ("m", "n", "k")))
            assert np.abs(exact(inputs)).max() <= INT32.max
