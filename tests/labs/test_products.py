"""The trusted product of float32 matrices and the scale of its error."""

import numpy as np
import pytest

from grader.labs.products import float32_product
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
