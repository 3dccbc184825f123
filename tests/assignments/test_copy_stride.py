"""The copies of `copy-stride` read from the right positions of an array that is just long enough."""

from dataclasses import replace

import numpy as np
import pytest

from grader.labs.geometry import launch_shape
from grader.labs.manifest import Case
from tools.labs import built_in_labs

LAB = built_in_labs().labs["copy-stride"]
CASES = [case for case in LAB.manifest.cases if case.sizes["n"] < 10_000]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_oracle_copies_the_elements_of_the_handout(case: Case) -> None:
    n, offset, stride = (case.sizes[name] for name in ("n", "offset", "stride"))
    inputs = LAB.inputs(case, np.random.default_rng(1))
    x, expected = inputs["x"], LAB.oracle(case, inputs)
    assert expected["shifted"].value.tolist() == [x[i + offset] for i in range(n)]
    assert expected["gathered"].value.tolist() == [x[i * stride] for i in range(n)]


@pytest.mark.parametrize("offset", [0, 32])
@pytest.mark.parametrize("stride", [1, 32])
def test_the_source_array_covers_both_copies_during_a_sweep(offset: int, stride: int) -> None:
    case = replace(CASES[0], sizes={"n": 100, "offset": offset, "stride": stride})
    reach = max(100 + offset, 99 * stride + 1)
    assert LAB.inputs(case, np.random.default_rng(1))["x"].shape == (reach,)
    for kernel in LAB.manifest.kernels:
        plan = LAB.plan(kernel.spec, case, launch_shape(kernel.launch, case.sizes))
        assert plan.buffer("x").shape == (reach,)
