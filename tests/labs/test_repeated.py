"""A kernel that leaves one value per block is launched until one value is left, whatever grid a student chooses."""

from dataclasses import replace

import pytest

from grader.labs.geometry import GeometryError
from grader.labs.manifest import Case
from grader.labs.registry import discover
from grader.model.plan import Geometry, LaunchPlan, Role

LABS = discover().labs
REDUCTION = LABS["reduction"]


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
def test_every_launch_has_the_grid_of_what_is_left(n: int, grids: list[int]) -> None:
    launches = plan(n, "ceil(n / block_x)").launches
    assert [launch.shape.grid.size for launch in launches] == grids
    assert [launch.args[-1] for launch in launches] == [n, *grids[:-1]]


def test_each_launch_reads_what_the_last_one_wrote_and_nothing_is_written_twice() -> None:
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
def test_a_grid_that_does_not_shrink_is_refused_in_words(grid: str) -> None:
    with pytest.raises(GeometryError, match="one value per block must leave half as many or fewer"):
        plan(1000, grid)


def test_the_slowest_way_down_takes_a_launch_per_halving() -> None:
    assert len(plan(2**28, "ceil(n / 2)").launches) == 28


def test_a_grid_of_nothing_is_left_to_the_engine_to_refuse() -> None:
    assert [launch.shape.grid.size for launch in plan(1000, "n // 2000").launches] == [0]
