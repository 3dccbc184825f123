"""Labs that make one number out of each row: what the class and its case set give them."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs import Expected, RowWise
from grader.labs.loader import load_manifest
from grader.labs.manifest import Manifest, Use
from grader.model.run import EngineKind

_TOML = """
schema_version = 1
name = "row-first"
version = "1.0"
title = "First elements"
summary = "The first element of each row"
source = "a test"
baseline = "global"
case_set = "row-wise"

[[kernels]]
name = "row_first_global"
params = ["const float32 a[rows][cols]", "float32 out[rows]", "int32 rows", "int32 cols"]
block = ["256"]
grid = ["ceil(rows / block_x)"]

[[rungs]]
name = "global"
kernels = ["row_first_global"]
summary = "one thread per row"

[tolerance]
factor = 0
derivation = "nothing is computed"

[rubric]
correctness = 100
"""


class RowFirst(RowWise):
    """The first element of each row."""

    def of_rows(self, a: NDArray[np.float64]) -> Expected:
        """Take column 0."""
        return Expected(value=a[:, 0])


@pytest.fixture
def manifest(tmp_path: Path) -> Manifest:
    path = tmp_path / "lab.toml"
    path.write_text(_TOML, encoding="utf-8")
    return load_manifest(path)


def test_a_lab_that_says_what_is_of_a_row_has_inputs_and_an_oracle_for_every_case(
    manifest: Manifest, tmp_path: Path
) -> None:
    lab = RowFirst(manifest, tmp_path, tmp_path)
    for case in manifest.cases:
        if case.engines == {EngineKind.CUDA}:
            continue
        inputs = lab.inputs(case, np.random.default_rng(1))
        assert inputs["a"].shape == (case.sizes["rows"], case.sizes["cols"])
        assert inputs["a"].dtype == np.float32
        out = lab.oracle(case, inputs)["out"].value
        assert out.dtype == np.float64
        assert np.array_equal(out, inputs["a"][:, 0])


def test_inputs_follow_the_seed(manifest: Manifest, tmp_path: Path) -> None:
    lab = RowFirst(manifest, tmp_path, tmp_path)
    one, same, other = (lab.inputs(manifest.cases[2], np.random.default_rng(seed))["a"] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_the_case_set_times_the_size_of_the_task_and_on_a_gpu_a_large_one_too(manifest: Manifest) -> None:
    timed = {case.name: case for case in manifest.cases if Use.TIME in case.use}
    assert timed.keys() == {"task-size", "large"}
    assert timed["task-size"].sizes == {"rows": 1000, "cols": 1000}
    assert timed["large"].engines == {EngineKind.CUDA}


def test_the_case_set_has_matrices_of_every_shape(manifest: Manifest) -> None:
    shapes = [(case.sizes["rows"], case.sizes["cols"]) for case in manifest.cases]
    assert (1, 1) in shapes
    assert any(rows == 1 < cols for rows, cols in shapes)
    assert any(cols == 1 < rows for rows, cols in shapes)
    assert any(rows * 100 < cols for rows, cols in shapes)
    assert any(cols * 100 < rows for rows, cols in shapes)
    assert any(rows % 32 and cols % 32 and rows > 256 for rows, cols in shapes)
