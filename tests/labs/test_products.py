"""The trusted products of matrices: in float32 with the scale of its error, and in int32."""

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs.products import float32_product, int32_product
from grader.labs.rounding import summation_scale


def test_the_product_is_that_of_float64() -> None:
    large, small = np.float32(1.0), np.float32(2.0**-23)
    first = np.array([[large, large + small]], np.float32)
    second = np.array([[-large], [large + small]], np.float32)
    assert float32_product(first, second).value[0, 0] == 2 * 2.0**-23 + 2.0**-46


def test_the_scale_is_that_of_a_sum_of_as_many_terms_as_the_first_has_columns() -> None:
    rng = np.random.default_rng(1)
    first = rng.standard_normal((3, 50)).astype(np.float32)
    second = rng.standard_normal((50, 4)).astype(np.float32)
    expected = float32_product(first, second)
    terms = first[:, :, np.newaxis].astype(np.float64) * second[np.newaxis]
    squares = np.sum(terms**2, axis=1)
    np.testing.assert_allclose(
        expected.scale, summation_scale(50, terms.sum(axis=1), squares, 0.0), rtol=1e-12
    )


def test_the_scale_leaves_room_for_subnormal_terms_that_are_flushed() -> None:
    tiny = np.full((1, 8), 2.0**-70, np.float32)
    expected = float32_product(tiny, tiny.T)
    assert expected.value[0, 0] == 8 * 2.0**-140
    assert 4 * 2.0**-24 * np.asarray(expected.scale)[0, 0] > expected.value[0, 0]


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 5), (7, 1, 2)])
def test_value_and_scale_have_the_shape_of_the_product(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    expected = float32_product(np.ones((m, k), np.float32), np.ones((k, n), np.float32))
    assert expected.value.shape == np.shape(expected.scale) == (m, n)


def wrapped(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same with NumPy's own integers, which wrap around."""
    product: NDArray[np.int32] = first @ second
    return product


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 7, 3), (40, 30, 1000), (2, 2, 70_000)])
def test_a_product_of_integers_is_exact_modulo_2_to_the_32(shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = np.random.default_rng(k)
    first = rng.integers(-(2**31), 2**31, (m, k), dtype=np.int32)
    second = rng.integers(-(2**31), 2**31, (k, n), dtype=np.int32)
    product = int32_product(first, second)
    assert product.dtype == np.int32
    assert np.array_equal(product, wrapped(first, second))


@pytest.mark.parametrize("value", [-(2**31), -(2**31) + 2**15, -(2**15), -1, 2**15, 2**31 - 1])
def test_a_product_of_extreme_integers_is_exact_over_many_terms(value: int) -> None:
    row = np.full((1, 2**20), value, np.int32)
    assert np.array_equal(int32_product(row, row.T), wrapped(row, row.T))
