"""Lines that differ in names, numbers and layout only have one shape."""

import pytest

from grader.model.submission import Language, SourceFile
from grader.similarity.line_shapes import line_shapes

LINE = "y[i] = 2 * x[i + 1];"


def shape(line: str, language: Language = Language.CUDA_C) -> str | None:
    text = f"__global__ void k() {{\n{line}\n}}\n" if language == Language.CUDA_C else f"{line}\n"
    number = 2 if language == Language.CUDA_C else 1
    return line_shapes(SourceFile(name="a", data=text.encode()), language).get(number)


@pytest.mark.parametrize(
    "same",
    [
        "b[k] = 2 * a[k + 1];",
        "y[i]=3*x[i+7];",
        "  y[i] = 2 * x[i + 1]; // why",
        "y[i] /* a */ = 2 * x[i + 1];",
    ],
)
def test_renamed_and_reformatted_lines_have_one_shape(same: str) -> None:
    assert shape(LINE) == shape(same) is not None


@pytest.mark.parametrize(
    "other",
    ["y[i] = 2 * x[j + 1];", "y[i] = 2 + x[i + 1];", "y[i] = 2 * x[i];", "y[threadIdx.x] = 2 * x[i + 1];"],
)
def test_other_lines_have_other_shapes(other: str) -> None:
    assert shape(LINE) != shape(other)


def test_lines_of_numba_have_shapes_and_comments_none() -> None:
    assert shape("y[i] = x[i]", Language.NUMBA) == shape("b[k] = a[k]", Language.NUMBA) is not None
    assert shape("# only words", Language.NUMBA) is None
