"""Launch geometry is text from students: exact where it is understood, refused where it is not."""

import pytest

from grader.labs.geometry import GeometryError, evaluate, launch_shape
from grader.model.plan import Dim3, Geometry

SIZES = {"rows": 1000, "cols": 33}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("256", 256),
        ("rows", 1000),
        ("ceil(rows / 256)", 4),
        ("(rows + 255) // 256", 4),
        ("rows % cols", 10),
        ("min(rows, cols, 7)", 7),
        ("max(rows, cols) * 4", 4000),
        ("ceil(rows / 3) * 3 - 2", 1000),
        ("rows / 10", 100),
    ],
)
def test_understood_expressions_are_exact(text: str, value: int) -> None:
    assert evaluate(text, SIZES) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows / 3", "not a whole number"),
        ("lines", "unknown name 'lines'"),
        ("rows // 0", "division by zero"),
        ("2 ** 40", "not allowed"),
        ("rows * rows * rows * rows * rows", "a value above"),
        ("ceil(1, 2)", "takes 1 arguments"),
        ("abs(3)", "not allowed"),
        ("1 if rows else 2", "not allowed"),
        ("True", "not allowed"),
        ("1.5", "not allowed"),
        ("rows +", "not an expression"),
        ("(" * 150, "not an expression"),
        ("-" * 199 + "11", "at most 200"),
        ("1" * 201, "at most 200"),
        ("9" * 200, "a value above"),
        ("__import__('os').system('true')", "not allowed"),
        ("rows.__class__", "not allowed"),
        ("[x for x in rows]", "not allowed"),
    ],
)
def test_everything_else_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(GeometryError) as caught:
        evaluate(text, SIZES)
    assert message in str(caught.value)


def test_grid_and_shared_may_use_the_block() -> None:
    geometry = Geometry(
        grid=("ceil(cols / block_x)", "ceil(rows / block_y)"), block=("16", "8"), shared="block * 4"
    )
    shape = launch_shape(geometry, SIZES)
    assert shape.grid == Dim3(x=3, y=125)
    assert shape.block == Dim3(x=16, y=8)
    assert shape.shared_bytes == 512


def test_a_negative_extent_names_its_part() -> None:
    with pytest.raises(GeometryError, match="grid: 'cols - rows' is -967, below zero"):
        launch_shape(Geometry(grid=("cols - rows",), block=("32",)), SIZES)


def test_more_than_three_dimensions_are_refused() -> None:
    with pytest.raises(GeometryError, match="block has 4 dimensions"):
        launch_shape(Geometry(grid=("1",), block=("1", "1", "1", "1")), SIZES)
