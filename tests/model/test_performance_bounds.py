"""Roofline and latency hiding against the lectures' own numbers."""

import pytest

from grader.model.device import Device
from grader.model.devices import DEVICES, G80, H200, TESLA_P100, TESLA_T4
from grader.model.performance_bounds import (
    Arithmetic,
    attainable,
    clocks_per_instruction,
    peak,
    ridge,
    warps_needed,
)

FLOAT_BYTES = 4
MAX_WARPS = 48
"""Warps per SM in the lectures' example, in which an instruction takes two clocks."""


def test_a_g80_does_21_6_gflops_at_two_floats_per_multiply_add() -> None:
    # Two operations for 8 bytes; 86.4 GB/s are 21.6 G floats a second, and each is good for one operation.
    assert attainable(G80, Arithmetic.FLOAT32, 2 / (2 * FLOAT_BYTES)) == pytest.approx(21.6e9)


def test_that_is_6_percent_of_what_a_g80_can_do() -> None:
    # The lecture rounds the peak to 346.5; 128 lanes at 1.35 GHz make 345.6.
    assert peak(G80, Arithmetic.FLOAT32) == pytest.approx(346.5e9, rel=0.003)
    share = attainable(G80, Arithmetic.FLOAT32, 0.25) / peak(G80, Arithmetic.FLOAT32)
    assert share == pytest.approx(0.06, abs=0.003)


def test_tiles_of_16_by_16_bring_a_g80_from_memory_to_its_peak() -> None:
    loads = 2 * 16 * 16
    operations = 16 * 16 * 2 * 16
    assert operations / loads == 16
    intensity = operations / (loads * FLOAT_BYTES)
    assert attainable(G80, Arithmetic.FLOAT32, intensity) == pytest.approx(peak(G80, Arithmetic.FLOAT32))
    assert ridge(G80, Arithmetic.FLOAT32) == pytest.approx(intensity)


def test_a_modern_device_needs_more_operations_per_byte() -> None:
    assert ridge(H200, Arithmetic.FLOAT32) > 3 * ridge(G80, Arithmetic.FLOAT32)


def test_the_peaks_are_those_of_the_data_sheets() -> None:
    assert peak(TESLA_T4, Arithmetic.FLOAT32) == pytest.approx(8.1e12, rel=0.01)
    assert peak(H200, Arithmetic.FLOAT32) == pytest.approx(67e12, rel=0.01)
    assert peak(H200, Arithmetic.FLOAT64) == pytest.approx(34e12, rel=0.02)


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_the_roof_never_falls_and_ends_at_the_peak(device: Device) -> None:
    bounds = [attainable(device, Arithmetic.INT32, 2.0**power) for power in range(-6, 12)]
    assert bounds == sorted(bounds)
    assert bounds[-1] == peak(device, Arithmetic.INT32)


def test_no_lanes_no_peak() -> None:
    assert peak(G80, Arithmetic.FLOAT64) == 0


def test_hiding_400_clocks_takes_26_of_48_warps() -> None:
    needed = warps_needed(400, independent=8, clocks_per_instruction=2)
    assert needed == 26
    assert round(100 * needed / MAX_WARPS) == 54


def test_a_result_24_clocks_away_takes_13_of_48_warps() -> None:
    needed = warps_needed(24, independent=1, clocks_per_instruction=2)
    assert needed == 13
    assert round(100 * needed / MAX_WARPS) == 27


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
    with pytest.raises(ValueError, match="must be positive"):
        warps_needed(*wrong)
