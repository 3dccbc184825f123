"""The roofline against the lectures' own arithmetic for the G80."""

import pytest

from grader.model.device import Device
from grader.model.devices import DEVICES, G80, H200, TESLA_T4
from grader.model.roofline import Arithmetic, attainable, peak, ridge

FLOAT = 4
"""Bytes."""


def test_a_g80_does_21_6_gflops_where_every_multiply_add_reads_two_floats() -> None:
    # Two operations for 8 bytes; 86.4 GB/s are 21.6 G floats a second, and each is good for one operation.
    assert attainable(G80, Arithmetic.FLOAT32, 2 / (2 * FLOAT)) == pytest.approx(21.6e9)


def test_that_is_6_percent_of_what_a_g80_can_do() -> None:
    # The lecture rounds the peak to 346.5; 128 lanes at 1.35 GHz make 345.6.
    assert peak(G80, Arithmetic.FLOAT32) == pytest.approx(346.5e9, rel=0.003)
    share = attainable(G80, Arithmetic.FLOAT32, 0.25) / peak(G80, Arithmetic.FLOAT32)
    assert share == pytest.approx(0.06, abs=0.003)


def test_tiles_of_16_by_16_bring_a_g80_from_memory_to_its_peak() -> None:
    loads = 2 * 16 * 16
    operations = 16 * 16 * 2 * 16
    assert operations / loads == 16
    intensity = operations / (loads * FLOAT)
    assert attainable(G80, Arithmetic.FLOAT32, intensity) == pytest.approx(peak(G80, Arithmetic.FLOAT32))
    assert ridge(G80, Arithmetic.FLOAT32) == pytest.approx(intensity)


def test_a_modern_device_needs_more_arithmetic_per_byte_than_a_g80() -> None:
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
