"""The load on the portal is judged by its aims."""

from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.portal_load import LAG_AIM, MATRIX_AIM, SUBMIT_AIM, misses, percentile, spread

FIGURES: Mapping[str, Any] = {
    "accepted": 3,
    "placed": 3,
    "updated": 3,
    "seconds": {name: spread([0.1, 0.2, 0.1]) for name in ("submit", "lag", "matrix")},
    "failures": [],
}


def test_a_percentile_is_one_of_the_values() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert (percentile(values, 0.95), percentile(values, 1.0), percentile([7.0], 0.5)) == (95.0, 100.0, 7.0)


def test_figures_within_the_aims_miss_nothing() -> None:
    assert misses(FIGURES, 3) == []


@pytest.mark.parametrize("count", ["accepted", "placed", "updated"])
def test_a_student_too_few_is_a_miss(count: str) -> None:
    (missed,) = misses({**FIGURES, count: 2}, 3)
    assert count in missed


@pytest.mark.parametrize(("name", "aim"), [("submit", SUBMIT_AIM), ("lag", LAG_AIM), ("matrix", MATRIX_AIM)])
def test_a_figure_above_its_aim_is_a_miss(name: str, aim: float) -> None:
    slow = {**FIGURES["seconds"], name: spread([2 * aim])}
    (missed,) = misses({**FIGURES, "seconds": slow}, 3)
    assert missed.startswith(name)


def test_a_failed_request_is_a_miss() -> None:
    assert misses({**FIGURES, "failures": ["submit: 500"]}, 3) == ["submit: 500"]
