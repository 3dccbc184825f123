"""Hiding latency, in the lectures' own numbers: 48 warps per SM, two clocks for an instruction."""

import pytest

from grader.model.devices import G80, H200, TESLA_P100, TESLA_T4
from grader.model.latency import clocks_per_instruction, warps_needed

MOST_WARPS = 48


def test_400_clocks_with_8_independent_instructions_take_26_of_48_warps() -> None:
    needed = warps_needed(400, independent=8, clocks_per_instruction=2)
    assert needed == 26
    assert round(100 * needed / MOST_WARPS) == 54


def test_a_result_24_clocks_away_takes_13_of_48_warps() -> None:
    needed = warps_needed(24, independent=1, clocks_per_instruction=2)
    assert needed == 13
    assert round(100 * needed / MOST_WARPS) == 27


def test_twice_the_independent_instructions_take_half_the_warps() -> None:
    one, two = (warps_needed(400, n, clocks_per_instruction=2) - 1 for n in (5, 10))
    assert one == 2 * two


def test_a_warp_takes_as_long_as_its_threads_need_turns() -> None:
    assert [clocks_per_instruction(device) for device in (G80, TESLA_P100, TESLA_T4, H200)] == [
        4.0,
        0.5,
        0.5,
        0.25,
    ]


@pytest.mark.parametrize("wrong", [(0, 1, 1), (400, 0, 1), (400, 1, 0)])
def test_nothing_positive_no_answer(wrong: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="no such kernel"):
        warps_needed(*wrong)
