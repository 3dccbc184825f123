"""What a program can know of its inputs before the clock starts."""

import numpy as np
import pytest

from grader.programs.timed.withheld import STRIDE_BYTES, Array, drawn_places, new_draw, release, with_decoys

DRAW = np.random.default_rng(1)
LARGE = DRAW.standard_normal(1 << 18, np.float32)


def test_one_element_of_each_piece_is_withheld() -> None:
    shown, withheld = with_decoys(LARGE, new_draw())
    assert np.count_nonzero(shown != LARGE) > 0.8 * withheld.places.size  # a decoy may happen to be equal
    pieces = withheld.places * LARGE.itemsize // STRIDE_BYTES
    assert np.array_equal(pieces, np.arange(LARGE.nbytes // STRIDE_BYTES))


def test_decoys_are_elements_of_the_array() -> None:
    shown, withheld = with_decoys(LARGE, new_draw())
    assert np.isin(shown[withheld.places], LARGE).all()


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_the_sum_with_decoys_is_far_from_the_right_one(dtype: type) -> None:
    array: Array = DRAW.integers(0, 1000, 1 << 20).astype(dtype)
    shown, withheld = with_decoys(array, new_draw())
    apart = float(array.sum(dtype=np.float64)) - float(shown.sum(dtype=np.float64))
    assert apart > 200 * withheld.places.size


def test_places_are_drawn_anew() -> None:
    assert not np.array_equal(drawn_places(LARGE, new_draw()), drawn_places(LARGE, new_draw()))


def test_a_small_array_is_withheld_as_a_whole() -> None:
    small = DRAW.integers(0, 1000, 1000).astype(np.int32)
    _, withheld = with_decoys(small, new_draw())
    assert np.array_equal(withheld.places, np.arange(small.size))


def test_the_release_completes_the_inputs() -> None:
    shown, withheld = with_decoys(LARGE, new_draw())
    release([(shown, withheld)])
    assert np.array_equal(shown, LARGE)


def test_the_array_of_the_judge_stays_as_it_is() -> None:
    before = LARGE.copy()
    with_decoys(LARGE, new_draw())
    assert np.array_equal(LARGE, before)
