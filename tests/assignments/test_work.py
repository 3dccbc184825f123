"""A lab's declared work equals the work in the benchmarks' problem sizes."""

import tomllib

import pytest

from tools.labs import built_in_labs
from tools.paths import CHECKOUT

STATED = {name: lab for name, lab in built_in_labs().labs.items() if lab.manifest.work is not None}


def test_some_labs_state_it() -> None:
    assert "matmul" in STATED


@pytest.mark.parametrize("name", STATED)
def test_the_work_is_that_of_the_benchmarks(name: str) -> None:
    table = tomllib.loads((CHECKOUT / "benchmarks" / "problem_sizes" / f"{name}.toml").read_text("utf-8"))
    assert STATED[name].manifest.work == table["work"]
