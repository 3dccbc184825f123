"""The map of wrong elements shows a tile's edge, a missing column and unwritten elements, and stays small."""

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.judge.wrong_map import wrong_map
from grader.labs.expected import Expected
from grader.model.element_types import DType
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role, poison_byte
from grader.model.wrong_map import MAX_COLUMNS, MAX_ROWS, WrongMap

UNWRITTEN = np.frombuffer(bytes([poison_byte(DType.FLOAT32)]) * 4, np.float32)[0]


def drawn(actual: NDArray[np.float32], threads: int = 256) -> WrongMap | None:
    """The map of ``actual`` where every element should be zero."""
    buffer = Buffer(name="y", dtype=DType.FLOAT32, shape=actual.shape, role=Role.OUTPUT)
    shape = LaunchShape(grid=Dim3(), block=Dim3(x=threads))
    plan = LaunchPlan(buffers=(buffer,), launches=(Launch(kernel="k", shape=shape, args=("y",)),))
    return wrong_map({"y": actual.tobytes()}, plan, {"y": Expected(np.zeros(actual.shape))}, 0.0)


def cells(actual: NDArray[np.float32], threads: int = 256) -> tuple[str, ...]:
    found = drawn(actual, threads)
    assert found is not None
    return found.cells


def zeros(*shape: int) -> NDArray[np.float32]:
    return np.zeros(shape, np.float32)


def test_a_right_output_has_no_map() -> None:
    assert drawn(zeros(8, 8)) is None


@pytest.mark.parametrize("shape", [(1,), (8, 8), (1000, 1000), (5000,), (3, 4, 5)])
def test_an_output_that_is_wrong_everywhere_has_no_map(shape: tuple[int, ...]) -> None:
    assert drawn(zeros(*shape) + 1) is None


def test_an_incomplete_output_has_no_map() -> None:
    buffer = Buffer(name="y", dtype=DType.FLOAT32, shape=(4,), role=Role.OUTPUT)
    plan = LaunchPlan(buffers=(buffer,), launches=())
    assert wrong_map({"y": b"\0"}, plan, {"y": Expected(np.zeros(4))}, 0.0) is None


def test_each_element_of_a_small_matrix_is_a_cell() -> None:
    actual = zeros(3, 4)
    actual[1, 3] = 5
    actual[2, 0] = UNWRITTEN
    assert cells(actual) == ("....", "...9", "i...")


def test_a_missing_last_column_shows_in_a_large_matrix() -> None:
    actual = zeros(1000, 1000)
    actual[:, -1] = UNWRITTEN
    found = drawn(actual)
    assert found is not None
    assert (found.row_step, found.column_step) == (32, 16)
    assert set(found.cells) == {"." * 62 + "b"}


def test_the_edge_of_a_tile_is_the_edge_of_cells() -> None:
    actual = zeros(512, 512)
    actual[:, 32:64] = 1
    assert set(cells(actual)) == {"." * 4 + "9" * 4 + "." * 56}


def test_a_few_wrong_elements_are_a_small_share() -> None:
    actual = zeros(64, 64)
    actual[0, 0] = 1
    assert cells(actual)[0] == "5" + "." * 63
    actual[1, 0] = UNWRITTEN
    assert cells(actual)[0][0] == "9"


def test_a_vector_is_cut_into_the_elements_of_a_block() -> None:
    actual = zeros(1000)
    actual[96:128] = actual[352:384] = 1
    actual[999] = UNWRITTEN
    found = drawn(actual, threads=256)
    assert found is not None
    assert (found.row_length, found.row_step, found.column_step) == (256, 1, 4)
    assert found.cells[0] == found.cells[1] == "." * 24 + "9" * 8 + "." * 32
    assert found.cells[3] == "." * 57 + "c" + " " * 6


def test_a_short_vector_is_one_row() -> None:
    actual = zeros(40)
    actual[39] = 1
    assert cells(actual) == ("." * 39 + "9",)


def test_a_matrix_of_one_row_is_a_vector() -> None:
    actual = zeros(1, 2000)
    actual[0, 1999] = 1
    found = drawn(actual, threads=100)
    assert found is not None
    assert (found.row_length, len(found.cells)) == (100, 20)


def test_of_planes_the_first_wrong_one_is_drawn() -> None:
    actual = zeros(2, 3, 4, 5)
    actual[1, 2, 3, 4] = 1
    found = drawn(actual)
    assert found is not None
    assert found.plane == (1, 2)
    assert found.cells == (".....",) * 3 + ("....9",)


@pytest.mark.parametrize("shape", [(10_000_000,), (3000, 3001), (1, 33), (33, 1), (65, 2), (7, 200, 300)])
def test_a_map_is_small_and_loses_no_wrong_element(shape: tuple[int, ...]) -> None:
    actual = zeros(*shape)
    actual.reshape(-1)[-1] = 1
    found = drawn(actual)
    assert found is not None
    assert len(found.cells) <= MAX_ROWS
    assert max(map(len, found.cells)) <= MAX_COLUMNS
    assert sum(cell.isdigit() for row in found.cells for cell in row) == 1
