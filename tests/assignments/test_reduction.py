"""The numbers of `reduction`: which results its tolerance accepts, and what its oracle computes."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs.manifest import Case
from grader.model.element_types import DType
from tools.labs import built_in_labs

LAB = built_in_labs().get("reduction")
FACTOR = LAB.manifest.tolerance.factor
Order = Callable[[NDArray[np.float32]], float]
KINDS = sorted({case.inputs for case in LAB.manifest.cases})


def case_of(n: int, inputs: str) -> Case:
    return replace(LAB.manifest.cases[0], sizes={"n": n}, inputs=inputs)


def in_sequence(x: NDArray[np.float32]) -> float:
    return float(np.add.accumulate(x, dtype=np.float32)[-1])


def as_a_tree(x: NDArray[np.float32]) -> float:
    while len(x) > 1:
        x = np.append(x, np.float32(0)) if len(x) % 2 else x
        x = x[::2] + x[1::2]
    return float(x[0])


def far_elements_first(x: NDArray[np.float32]) -> float:
    while len(x) > 1:
        half = (len(x) + 1) // 2
        low = x[:half].copy()
        low[: len(x) - half] += x[half:]
        x = low
    return float(x[0])


def by_threads(x: NDArray[np.float32]) -> float:
    """Return the sum in which 256 threads each add every 256th value, then a tree adds the partial sums."""
    padded = np.append(x, np.zeros(-len(x) % 256, np.float32)).reshape(-1, 256)
    return as_a_tree(np.add.accumulate(padded, axis=0, dtype=np.float32)[-1])


@pytest.mark.parametrize("order", [in_sequence, as_a_tree, far_elements_first, by_threads])
@pytest.mark.parametrize("inputs", KINDS)
@pytest.mark.parametrize("n", [2, 33, 1000, 66049])
def test_a_float32_sum_uses_less_than_half_the_tolerance(order: Order, inputs: str, n: int) -> None:
    case = case_of(n, inputs)
    for seed in range(5):
        arrays = LAB.inputs(case, np.random.default_rng(seed))
        answer = LAB.oracle(case, arrays)["x_sums"]
        error = abs(float(order(arrays["x"])) - answer.value[0])
        assert error <= 0.5 * answer.allowed(DType.FLOAT32, FACTOR)[0]


@pytest.mark.parametrize("n", [31, 1000, 66049])
def test_half_precision_and_a_missing_element_are_wrong(n: int) -> None:
    case = case_of(n, "normal")
    caught = {"half": 0, "forgotten": 0}
    for seed in range(20):
        arrays = LAB.inputs(case, np.random.default_rng(seed))
        answer = LAB.oracle(case, arrays)["x_sums"]
        allowed = answer.allowed(DType.FLOAT32, FACTOR)[0]
        half = float(np.add.accumulate(arrays["x"].astype(np.float16), dtype=np.float16)[-1])
        caught["half"] += abs(half - answer.value[0]) > allowed
        caught["forgotten"] += abs(float(arrays["x"][-1])) > allowed
    assert min(caught.values()) >= 17


def test_the_int32_sum_wraps_around_and_asks_for_the_last_bit() -> None:
    case = case_of(100_003, "normal")
    arrays = LAB.inputs(case, np.random.default_rng(1))
    total = int(arrays["a"].astype(np.int64).sum())
    wrapped = (total + 2**31) % 2**32 - 2**31
    answer = LAB.oracle(case, arrays)["a_sums"]
    assert answer.value.tolist() == [wrapped]
    assert total != wrapped
    assert answer.scale == 0.0


def test_the_oracle_of_a_sum_in_pieces_is_that_of_the_whole() -> None:
    case = case_of(2**22 + 5, "normal")
    arrays = LAB.inputs(case, np.random.default_rng(2))
    x = arrays["x"].astype(np.float64)
    answer = LAB.oracle(case, arrays)["x_sums"]
    assert answer.value[0] == pytest.approx(x.sum(), rel=1e-12)
    scale = np.sqrt(len(x)) * np.hypot(x.sum(), np.sqrt(np.square(x).sum()))
    assert float(np.asarray(answer.scale)[0]) == pytest.approx(scale, rel=1e-6)
