"""A sum of two numbers rounds once: any float32 addition passes, anything less precise does not."""

from dataclasses import replace

import numpy as np
import pytest

from grader.judge.outputs import within
from tools.labs import built_in_labs

LAB = built_in_labs().get("vector-add")
FACTOR = LAB.manifest.tolerance.factor


@pytest.mark.parametrize("distribution", ["normal", "negative", "equal", "huge", "tiny", "one-huge"])
def test_only_the_exact_float32_sum_is_right(distribution: str) -> None:
    case = replace(LAB.manifest.cases[0], sizes={"n": 5000}, inputs=distribution)
    inputs = LAB.inputs(case, np.random.default_rng(21))
    (expected,) = LAB.oracle(case, inputs).values()
    total = inputs["a"] + inputs["b"]
    assert within(total, expected, FACTOR).all()
    if distribution != "tiny":
        beyond = np.nextafter(total, np.float32(np.inf)) + np.spacing(np.abs(total))
        assert not within(beyond, expected, FACTOR).any()


def test_a_sum_in_half_precision_is_wrong() -> None:
    case = replace(LAB.manifest.cases[0], sizes={"n": 1000}, inputs="negative")
    inputs = LAB.inputs(case, np.random.default_rng(22))
    (expected,) = LAB.oracle(case, inputs).values()
    half = (inputs["a"].astype(np.float16) + inputs["b"].astype(np.float16)).astype(np.float32)
    assert not within(half, expected, FACTOR).all()
