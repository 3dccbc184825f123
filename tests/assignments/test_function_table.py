"""The two tolerances of the function table accept every float32 evaluation and nothing less precise."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.judge.outputs import within
from grader.labs import Arrays, Expected
from tools.labs import built_in_labs

LAB = built_in_labs().get("function-table")
FACTOR = LAB.manifest.tolerance.factor
N = 20000

F32 = np.float32


def drawn(distribution: str) -> tuple[Arrays, dict[str, Expected]]:
    case = replace(LAB.manifest.cases[0], sizes={"n": N}, inputs=distribution)
    inputs = LAB.inputs(case, np.random.default_rng(31))
    return inputs, LAB.oracle(case, inputs)


def argument(inputs: Arrays) -> NDArray[np.float32]:
    root: NDArray[np.float32] = np.sqrt(np.arange(N).astype(F32) * inputs["step"])
    return root


def by_series(a: NDArray[np.float32], coefficients: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sine with each operation of the series rounded, and the reduction as two fused multiply-adds."""
    half_turns = np.rint(a * F32(0.318309886))
    high = (a.astype(np.float64) - half_turns * np.float64(F32(3.14159274))).astype(F32)
    r = (high + half_turns * np.float64(F32(8.74227766e-8))).astype(F32)
    square = r * r
    series = np.zeros_like(r)
    for coefficient in coefficients[::-1]:
        series = series * square + coefficient
    sine: NDArray[np.float32] = np.where(half_turns % 2 == 1, -1, 1).astype(F32) * (r + r * square * series)
    return sine


@pytest.mark.parametrize("distribution", ["fine", "unit", "coarse", "zero"])
def test_float32_passes_with_room_to_spare(distribution: str) -> None:
    inputs, expected = drawn(distribution)
    a = argument(inputs)
    for sine in (np.sin(a), by_series(a, inputs["c"])):
        assert within(sine, expected["y"], FACTOR / 2).all()
        assert within(sine, expected["y_fast"], FACTOR / 2).all()


@pytest.mark.parametrize("distribution", ["fine", "unit", "coarse"])
def test_an_argument_in_half_precision_is_wrong_in_both_tables(distribution: str) -> None:
    inputs, expected = drawn(distribution)
    sine = np.sin(argument(inputs).astype(np.float16).astype(F32))
    assert not within(sine, expected["y"], FACTOR).all()
    assert not within(sine, expected["y_fast"], FACTOR).all()


@pytest.mark.parametrize("distribution", ["fine", "unit"])
def test_a_series_without_its_last_coefficient_is_wrong(distribution: str) -> None:
    inputs, expected = drawn(distribution)
    assert not within(by_series(argument(inputs), inputs["c"][:4]), expected["y"], FACTOR).all()


@pytest.mark.parametrize("distribution", ["fine", "unit", "coarse"])
def test_the_error_of_a_fast_sine_passes_in_its_own_table_only(distribution: str) -> None:
    inputs, expected = drawn(distribution)
    off = np.sin(argument(inputs)) + F32(2.0**-20.5)
    assert within(off, expected["y_fast"], FACTOR).all()
    assert not within(off, expected["y"], FACTOR).all()


def test_the_coefficients_are_those_of_the_handout() -> None:
    inputs, _ = drawn("unit")
    wanted = [-1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800]
    assert inputs["c"].tolist() == np.array(wanted, F32).tolist()
