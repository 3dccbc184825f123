"""The lab of an assignment is found in what systems write."""

import pytest

from grader.course.assignment_lab import lab_of_assignment

LABS = {"row-sum": "Sum of rows", "matmul": "Matrix product", "matmul-tiled": "Tiled product"}


@pytest.mark.parametrize(
    ("texts", "lab"),
    [
        (["GPU26-row_sum-Group A-4711"], "row-sum"),
        (["cs101-sum-of-rows_submissions"], "row-sum"),
        (["Lab 2: Matrix product"], "matmul"),
        (["matmul-tiled"], "matmul-tiled"),
        (["assignment_42_export", "download", "row-sum"], "row-sum"),
        (["matmul and row-sum"], None),
        (["matmuls", "row", "unter-row-sums"], None),
        (["", "作业"], None),
    ],
)
def test_a_name_or_a_title_as_whole_words_decides(texts: list[str], lab: str | None) -> None:
    assert lab_of_assignment(texts, LABS) == lab
