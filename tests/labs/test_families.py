"""Row-wise labs, repeated block sums, and matrix products: what they share."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.labs import Expected, RowWise
from grader.labs.families import float32_product, int32_product, summation_scale
from grader.labs.geometry import GeometryError
from grader.labs.loader import load_manifest
from grader.labs.manifest import Case, Manifest, Use
from grader.model.plan import Geometry, LaunchPlan, Role
from grader.model.run import EngineKind
from tools.labs import built_in_labs

REDUCTION = built_in_labs().labs["reduction"]

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


def test_a_row_wise_lab_has_inputs_and_an_oracle_for_every_case(manifest: Manifest, tmp_path: Path) -> None:
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


def test_row_wise_inputs_follow_the_seed(manifest: Manifest, tmp_path: Path) -> None:
    lab = RowFirst(manifest, tmp_path, tmp_path)
    one, same, other = (lab.inputs(manifest.cases[2], np.random.default_rng(seed))["a"] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_the_row_wise_case_set_times_task_size_and_large(manifest: Manifest) -> None:
    timed = {case.name: case for case in manifest.cases if Use.TIME in case.use}
    assert timed.keys() == {"task-size", "large"}
    assert timed["task-size"].sizes == {"rows": 1000, "cols": 1000}
    assert timed["large"].engines == {EngineKind.CUDA}


def test_the_row_wise_case_set_has_matrices_of_every_shape(manifest: Manifest) -> None:
    shapes = [(case.sizes["rows"], case.sizes["cols"]) for case in manifest.cases]
    assert (1, 1) in shapes
    assert any(rows == 1 < cols for rows, cols in shapes)
    assert any(cols == 1 < rows for rows, cols in shapes)
    assert any(rows * 100 < cols for rows, cols in shapes)
    assert any(cols * 100 < rows for rows, cols in shapes)
    assert any(rows % 32 and cols % 32 and rows > 256 for rows, cols in shapes)


def case_of(n: int) -> Case:
    return replace(REDUCTION.manifest.cases[0], sizes={"n": n})


def plan(n: int, grid: str, block: str = "256") -> LaunchPlan:
    kernel = REDUCTION.manifest.kernel("reduce_int32").spec
    return REDUCTION.plan_for(kernel, case_of(n), Geometry(grid=(grid,), block=(block,)), {"n": n})


@pytest.mark.parametrize(
    ("n", "grids"),
    [
        (1, [1]),
        (256, [1]),
        (257, [2, 1]),
        (65536, [256, 1]),
        (65537, [257, 2, 1]),
        (2**28, [2**20, 4096, 16, 1]),
    ],
)
def test_each_launch_has_the_grid_of_the_remaining_values(n: int, grids: list[int]) -> None:
    launches = plan(n, "ceil(n / block_x)").launches
    assert [launch.shape.grid.size for launch in launches] == grids
    assert [launch.args[-1] for launch in launches] == [n, *grids[:-1]]


def test_each_launch_reads_the_previous_output() -> None:
    made = plan(65537, "ceil(n / 256)")
    launches = made.launches
    assert [launch.args[0] for launch in launches] == ["a", *(launch.args[1] for launch in launches[:-1])]
    written = [name for launch in launches for name in launch.args[1:3]]
    assert len(set(written)) == len(written)
    assert "a" not in written


def test_only_the_last_value_is_an_output() -> None:
    made = plan(1000, "ceil(n / 256)")
    assert [(b.name, b.shape) for b in made.buffers if b.role is Role.OUTPUT] == [("a_sums", (1,))]
    assert [b.name for b in made.buffers if b.role is Role.INPUT] == ["a"]
    assert made.buffer("a_sums_1").shape == (4,)


@pytest.mark.parametrize("grid", ["n", "2", "max(2, n // 256)", "n - 1", "ceil(2 * n / 3)"])
def test_a_grid_that_does_not_shrink_is_refused(grid: str) -> None:
    with pytest.raises(GeometryError) as caught:
        plan(1000, grid)
    (problem,) = caught.value.reason.nested()
    assert problem.code == "grid-does-not-halve"


def test_the_slowest_reduction_launches_once_per_halving() -> None:
    assert len(plan(2**28, "ceil(n / 2)").launches) == 28


def test_an_empty_grid_is_left_to_the_engine_to_refuse() -> None:
    assert [launch.shape.grid.size for launch in plan(1000, "n // 2000").launches] == [0]


def test_a_float32_product_is_computed_in_float64() -> None:
    large, small = np.float32(1.0), np.float32(2.0**-23)
    first = np.array([[large, large + small]], np.float32)
    second = np.array([[-large], [large + small]], np.float32)
    assert float32_product(first, second).value[0, 0] == 2 * 2.0**-23 + 2.0**-46


def test_the_product_scale_is_the_scale_of_a_sum_over_columns() -> None:
    rng = np.random.default_rng(1)
    first = rng.standard_normal((3, 50)).astype(np.float32)
    second = rng.standard_normal((50, 4)).astype(np.float32)
    expected = float32_product(first, second)
    terms = first[:, :, np.newaxis].astype(np.float64) * second[np.newaxis]
    squares = np.sum(terms**2, axis=1)
    np.testing.assert_allclose(
        expected.scale, summation_scale(50, terms.sum(axis=1), squares, 0.0), rtol=1e-12
    )


def test_the_product_scale_allows_for_flushed_subnormals() -> None:
    tiny = np.full((1, 8), 2.0**-70, np.float32)
    expected = float32_product(tiny, tiny.T)
    assert expected.value[0, 0] == 8 * 2.0**-140
    assert 4 * 2.0**-24 * np.asarray(expected.scale)[0, 0] > expected.value[0, 0]


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 5), (7, 1, 2)])
def test_value_and_scale_have_the_shape_of_the_product(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    expected = float32_product(np.ones((m, k), np.float32), np.ones((k, n), np.float32))
    assert expected.value.shape == np.shape(expected.scale) == (m, n)


def wrapped(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
    """The same with NumPy's own integers, which wrap around."""
    product: NDArray[np.int32] = first @ second
    return product


@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 7, 3), (40, 30, 1000), (2, 2, 70_000)])
def test_a_product_of_integers_is_exact_modulo_2_to_the_32(shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = np.random.default_rng(k)
    first = rng.integers(-(2**31), 2**31, (m, k), dtype=np.int32)
    second = rng.integers(-(2**31), 2**31, (k, n), dtype=np.int32)
    product = int32_product(first, second)
    assert product.dtype == np.int32
    assert np.array_equal(product, wrapped(first, second))


@pytest.mark.parametrize("value", [-(2**31), -(2**31) + 2**15, -(2**15), -1, 2**15, 2**31 - 1])
def test_a_product_of_extreme_integers_is_exact_over_many_terms(value: int) -> None:
    row = np.full((1, 2**20), value, np.int32)
    assert np.array_equal(int32_product(row, row.T), wrapped(row, row.T))
