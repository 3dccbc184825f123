"""Adding one has exactly one float32 result; the oracle of `coalescing` returns exactly that result."""

import numpy as np
import pytest

from grader.judge.outputs import within
from grader.labs.distributions import DISTRIBUTIONS
from tools.labs import built_in_labs

LAB = built_in_labs().labs["coalescing"]
CASE = next(case for case in LAB.manifest.cases if case.name == "primes")
ARRAYS = ("x", "points", "records")


@pytest.mark.parametrize("name", ARRAYS)
def test_one_addition_in_float32_is_exactly_right(name: str) -> None:
    inputs = LAB.inputs(CASE, np.random.default_rng(1))
    expected = LAB.oracle(CASE, inputs)
    assert within(inputs[name] + np.float32(1), expected[name], 0.0).all()


@pytest.mark.parametrize("name", ARRAYS)
def test_a_float_unchanged_incremented_twice_or_halved_is_wrong(name: str) -> None:
    inputs = LAB.inputs(CASE, np.random.default_rng(1))
    given, answer = inputs[name], LAB.oracle(CASE, inputs)[name]
    assert not within(given, answer, 0.0).any()
    assert not within(given + np.float32(2), answer, 0.0).any()
    halves = (given.astype(np.float16) + np.float16(1)).astype(np.float32)
    assert within(halves, answer, 0.0).mean() < 0.1


@pytest.mark.parametrize("inputs", sorted({case.inputs for case in LAB.manifest.cases}))
def test_every_distribution_shows_a_missing_increment(inputs: str) -> None:
    drawn = DISTRIBUTIONS[inputs]((1000,), np.random.default_rng(1)).astype(np.float32)
    assert (drawn + np.float32(1) != drawn).all()
