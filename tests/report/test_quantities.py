"""Numbers as people read them."""

import pytest

from grader.model.report import SpeedupKind
from grader.report import quantities
from tests.report.examples import CUDA, EMULATOR, kernel, speedup


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2.484, "2.48 s"),
        (0.00193, "1.93 ms"),
        (412.6e-6, "413 µs"),
        (0.9999, "1.00 s"),
        (99.97e-6, "100 µs"),
        (5e-9, "5.00 ns"),
        (0.0, "0.00 ns"),
        (123.4, "123 s"),
    ],
)
def test_seconds_get_the_unit_that_suits_them(value: float, shown: str) -> None:
    assert quantities.seconds(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(0.5, "0.50×"), (9.996, "10.0×"), (17.53, "17.5×"), (412.0, "412×")]
)
def test_ratios_have_three_digits(value: float, shown: str) -> None:
    assert quantities.times(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(100.0, "100"), (62.5, "62.5"), (33.333, "33.33"), (0.0, "0")])
def test_points_have_no_idle_zeros(value: float, shown: str) -> None:
    assert quantities.points(value) == shown


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0 B"), (1000, "1000 B"), (4352, "4.25 KiB"), (3 << 20, "3 MiB")]
)
def test_bytes_are_counted_in_powers_of_two(count: int, shown: str) -> None:
    assert quantities.size(count) == shown


def test_an_interval_of_one_point_is_not_shown() -> None:
    assert quantities.interval(speedup(3.92)) == ""
    assert quantities.interval(speedup(3.92, spread=0.05)) == "[3.87, 3.97]"


def test_a_speedup_says_where_it_comes_from() -> None:
    assert quantities.labelled(speedup(3.92)) == "3.92× modelled"
    assert quantities.labelled(speedup(3.92, SpeedupKind.MEASURED)) == "3.92× measured"


def test_a_time_without_speedup_is_of_the_engine_s_kind() -> None:
    timed = kernel("k", seconds=1e-3)
    assert quantities.time_kind(timed, EMULATOR) is SpeedupKind.MODELLED
    assert quantities.time_kind(timed, CUDA) is SpeedupKind.MEASURED
    assert quantities.time_kind(kernel("k", seconds=1e-3, fast=speedup(2.0)), CUDA) is SpeedupKind.MODELLED


def test_a_moment_is_written_out_and_nonsense_is_left_alone() -> None:
    assert quantities.moment("2025-11-21T03:30:00+00:00") == "21 November 2025, 03:30 UTC"
    assert quantities.moment("2025-11-21T03:30:00Z") == "21 November 2025, 03:30 UTC"
    assert quantities.moment("yesterday") == "yesterday"
