"""Kendall's rank correlation."""

import pytest

from benchmarks.kendall import tau_b


@pytest.mark.parametrize(
    ("first", "second", "tau"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3, 4], [1, 2, 4, 3], 4 / 6),
        # One tie on each side, in different pairs: (4 - 0) / sqrt(5 * 5).
        ([1, 1, 2, 3], [1, 2, 3, 3], 4 / 5),
        # The example of Kendall (1945) as SciPy's documentation has it.
        ([12, 2, 1, 12, 2], [1, 4, 7, 1, 0], -0.47140452079103173),
    ],
)
def test_known_correlations_come_out(first: list[float], second: list[float], tau: float) -> None:
    assert tau_b(first, second) == pytest.approx(tau)


def test_pairs_too_close_to_tell_apart_are_left_out() -> None:
    modelled, measured = [1.0, 2.0, 3.0], [1.02, 1.0, 5.0]
    assert tau_b(modelled, measured) == pytest.approx(1 / 3)
    assert tau_b(modelled, measured, apart=1.03) == 1


def test_a_ranking_of_equals_is_refused() -> None:
    with pytest.raises(ValueError, match="everything is tied"):
        tau_b([1, 2, 3], [5, 5, 5])
