"""Launch geometry is text from students: exact where it is understood, refused where it is not."""

import pytest

from grader.labs.geometry import GeometryError, evaluate, launch_shape
from grader.model.plan import Dim3, Geometry
from grader.model.reason import reason

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
        ("rows // 256 + (1 if rows % 256 else 0)", 4),
        ("cols if rows > 64 else 1 // 0", 33),
        ("(rows < cols) + (rows >= 1000)", 1),
    ],
)
def test_understood_expressions_are_exact(text: str, value: int) -> None:
    assert evaluate(text, SIZES) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rows / 3", "expression-not-whole"),
        ("lines", "expression-name-unknown"),
        ("min(1)", "function-arguments"),
        ("rows // 0", "division-by-zero"),
        ("2 ** 41", "expression-too-large"),
        ("rows * rows * rows * rows * rows", "expression-too-large"),
        ("ceil(1, 2)", "function-takes-one"),
        ("abs(3)", "expression-part-invalid"),
        ("1 < rows < 3", "expression-part-invalid"),
        ("rows == 3", "expression-part-invalid"),
        ("True", "expression-part-invalid"),
        ("1.5", "expression-part-invalid"),
        ("rows +", "expression-invalid"),
        ("(" * 150, "expression-invalid"),
        ("-" * 199 + "11", "expression-too-long"),
        ("1" * 201, "expression-too-long"),
        ("9" * 200, "expression-too-large"),
        ("__import__('os').system('true')", "expression-part-invalid"),
        ("rows.__class__", "expression-part-invalid"),
        ("[x for x in rows]", "expression-part-invalid"),
    ],
)
def test_everything_else_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(GeometryError) as caught:
        evaluate(text, SIZES)
    assert caught.value.reason.code == code


def test_grid_and_shared_may_use_the_block() -> None:
    geometry = Geometry(
        grid=("ceil(cols / block_x)", "ceil(rows / block_y)"), block=("16", "8"), shared="block * 4"
    )
    shape = launch_shape(geometry, SIZES)
    assert shape.grid == Dim3(x=3, y=125)
    assert shape.block == Dim3(x=16, y=8)
    assert shape.shared_bytes == 512


def test_a_negative_extent_names_its_part() -> None:
    with pytest.raises(GeometryError) as caught:
        launch_shape(Geometry(grid=("cols - rows",), block=("32",)), SIZES)
    problem = reason("geometry-negative", text="cols - rows", value=-967)
    assert caught.value.reason == reason("in-geometry", part="grid", problem=problem)


def test_more_than_three_dimensions_are_refused() -> None:
    with pytest.raises(GeometryError) as caught:
        launch_shape(Geometry(grid=("1",), block=("1", "1", "1", "1")), SIZES)
    assert caught.value.reason == reason("geometry-dimensions", part="block", found=4, most=3)
