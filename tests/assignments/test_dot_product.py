"""The numbers of `dot-product`: which results its tolerance accepts, and how several launches yield one product."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs.manifest import Case
from grader.model.element_types import DType
from grader.model.plan import Role
from tools.labs import built_in_labs

LAB = built_in_labs().get("dot-product")
FACTOR = LAB.manifest.tolerance.factor
KINDS = sorted({case.inputs for case in LAB.manifest.cases})
Vector = NDArray[np.float32]


def case_of(n: int, inputs: str) -> Case:
    return replace(LAB.manifest.cases[0], sizes={"n": n}, inputs=inputs)


def in_sequence(x: Vector, y: Vector) -> float:
    return float(np.add.accumulate(x * y, dtype=np.float32)[-1])


def fused(x: Vector, y: Vector) -> float:
    """Return the sum with one rounding for each multiply-add."""
    total = np.float32(0)
    for left, right in zip(x.astype(np.float64), y.astype(np.float64), strict=True):
        total = np.float32(left * right + np.float64(total))
    return float(total)


def by_neighbours(x: Vector, y: Vector) -> float:
    """Return the sum in which each thread adds 32 neighboring products, then a tree adds all sums."""
    products = np.append(x * y, np.zeros(-len(x) % 32, np.float32)).reshape(-1, 32)
    sums = np.add.accumulate(products, axis=1, dtype=np.float32)[:, -1]
    while len(sums) > 1:
        sums = np.append(sums, np.float32(0)) if len(sums) % 2 else sums
        sums = sums[::2] + sums[1::2]
    return float(sums[0])


@pytest.mark.parametrize("order", [in_sequence, fused, by_neighbours])
@pytest.mark.parametrize("inputs", KINDS)
@pytest.mark.parametrize("n", [1, 33, 1000, 5003])
def test_a_right_product_uses_less_than_half_of_what_is_allowed(
    order: Callable[[Vector, Vector], float], inputs: str, n: int
) -> None:
    case = case_of(n, inputs)
    for seed in range(3):
        arrays = LAB.inputs(case, np.random.default_rng(seed))
        answer = LAB.oracle(case, arrays)["out"]
        error = abs(order(arrays["x"], arrays["y"]) - answer.value[0])
        assert error <= 0.5 * answer.allowed(DType.FLOAT32, FACTOR)[0]


@pytest.mark.parametrize("n", [31, 1000, 33003])
def test_half_precision_and_a_forgotten_product_are_wrong(n: int) -> None:
    case = case_of(n, "normal")
    caught = {"half": 0, "forgotten": 0}
    for seed in range(20):
        arrays = LAB.inputs(case, np.random.default_rng(seed))
        answer = LAB.oracle(case, arrays)["out"]
        allowed = answer.allowed(DType.FLOAT32, FACTOR)[0]
        halves = arrays["x"].astype(np.float16) * arrays["y"].astype(np.float16)
        half = float(np.add.accumulate(halves, dtype=np.float16)[-1])
        caught["half"] += abs(half - answer.value[0]) > allowed
        caught["forgotten"] += abs(float(arrays["x"][-1]) * float(arrays["y"][-1])) > allowed
    assert min(caught.values()) >= 17


def test_later_launches_multiply_by_ones() -> None:
    request = LAB.manifest.kernel("dot_product_global")
    case = case_of(5_000_000, "normal")
    plan = LAB.plan_for(request.spec, case, request.launch, case.sizes)
    assert [launch.args[:2] for launch in plan.launches] == [
        ("x", "y"),
        ("out_1", "ones"),
        ("out_2", "ones"),
    ]
    ones = plan.buffer("ones")
    assert (ones.role, ones.shape) == (Role.INPUT, (2_500_000,))
    drawn = LAB.inputs(case_of(1000, "normal"), np.random.default_rng(1))["ones"]
    assert drawn.shape == (500,)
    assert (drawn == 1).all()
