"""Row maxima and minima are exact, also for negative, subnormal and infinite numbers."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.judge.outputs import within
from grader.labs import Arrays, Case, Expected, Lab, draw
from tools.labs import built_in_labs

LABS = built_in_labs().labs
START = {"row-max": np.float32(-1e9), "row-min": np.finfo(np.float32).tiny}
"""Initial values of a search that are right for most matrices."""


def drawn(lab: Lab, distribution: str, rows: int = 38, cols: int = 45) -> tuple[Case, Arrays]:
    case = replace(lab.manifest.cases[0], sizes={"rows": rows, "cols": cols}, inputs=distribution)
    return case, lab.inputs(case, np.random.default_rng(11))


def right(lab: Lab, output: NDArray[np.float32], expected: Expected) -> bool:
    return bool(within(output, expected, lab.manifest.tolerance.factor).all())


def extreme(lab: Lab, a: NDArray[np.float32], start: np.float32 | None = None) -> NDArray[np.float32]:
    fold = np.maximum if lab.name == "row-max" else np.minimum
    found: NDArray[np.float32] = fold.reduce(a, axis=1)
    return found if start is None else np.asarray(fold(found, start), np.float32)


@pytest.mark.parametrize("name", START)
@pytest.mark.parametrize("distribution", ["normal", "negative", "equal", "huge", "tiny", "infinite"])
def test_the_extreme_of_a_row_is_right_to_the_last_bit(name: str, distribution: str) -> None:
    lab = LABS[name]
    case, inputs = drawn(lab, distribution)
    (expected,) = lab.oracle(case, inputs).values()
    found = extreme(lab, inputs["a"])
    assert right(lab, found, expected)
    finite = np.isfinite(found)
    next_to_it = np.where(finite, np.nextafter(found, np.float32(np.inf)), found).astype(np.float32)
    assert right(lab, next_to_it, expected) == (not finite.any())


@pytest.mark.parametrize("name", START)
def test_a_search_with_a_wrong_start_value_fails_some_case(name: str) -> None:
    lab = LABS[name]
    wrong = set()
    for case in lab.manifest.cases:
        if max(case.sizes.values()) > 2000:
            continue
        inputs = lab.inputs(case, np.random.default_rng(12))
        (expected,) = lab.oracle(case, inputs).values()
        if not right(lab, extreme(lab, inputs["a"], START[name]), expected):
            wrong.add(case.name)
    assert "infinities" in wrong


def test_rows_with_infinities_come_in_five_mixtures() -> None:
    a = draw("infinite", (40, 60), np.random.default_rng(13))
    some_minus, some_plus, both, all_minus, all_plus = (a[kind::5] for kind in range(5))
    assert np.isneginf(some_minus).any()
    assert not np.isposinf(some_minus).any()
    assert np.isposinf(some_plus).any()
    assert not np.isneginf(some_plus).any()
    assert np.isneginf(both).any()
    assert np.isposinf(both).any()
    assert np.isneginf(all_minus).all()
    assert np.isposinf(all_plus).all()
