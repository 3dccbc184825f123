"""The axes of plots: values keep their order between the ends, and the labels are round numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.plots.axes import from_zero, linear, logarithmic

POSITIVE = st.floats(1e-12, 1e15)


@given(st.lists(POSITIVE, min_size=1, max_size=9))
def test_every_value_lies_between_the_ends_and_in_its_order(values: list[float]) -> None:
    for axis in (logarithmic(values, 400, 20), from_zero(values, 400, 20)):
        positions = [axis.at(value) for value in sorted(values)]
        assert positions == sorted(positions, reverse=True)
        assert all(19.9 <= position <= 400.1 for position in positions)


@given(st.lists(POSITIVE, min_size=1, max_size=9))
def test_there_are_a_few_round_ticks(values: list[float]) -> None:
    for axis in (logarithmic(values, 0, 100), from_zero(values, 0, 100)):
        ticks = axis.ticks()
        assert 2 <= len(ticks) <= 40
        for tick in ticks:
            digits = f"{tick:.3e}"
            assert float(digits) == pytest.approx(tick)
            assert axis.low * 0.99 <= tick <= axis.high * 1.01


def test_decades_are_equally_long_on_a_logarithmic_axis() -> None:
    axis = logarithmic([1.0, 1000.0], 0, 300)
    assert axis.at(10) - axis.at(1) == pytest.approx(axis.at(1000) - axis.at(100))


def test_a_linear_axis_from_zero_begins_there() -> None:
    axis = from_zero([7.0, 32.5], 100, 0)
    assert axis.at(0) == 100
    assert axis.ticks() == (0, 10, 20, 30, 40)


def test_one_value_alone_has_an_axis() -> None:
    assert math.isfinite(linear([5], 0, 10).at(5))
    assert math.isfinite(logarithmic([5], 0, 10).at(5))
    assert from_zero([], 0, 10).high == 1
