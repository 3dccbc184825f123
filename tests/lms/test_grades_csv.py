"""The grades of a course as CSV: its published schema, and no formula in it."""

import csv
import io
from dataclasses import fields, replace
from typing import Any

import pytest

from grader.lms import grades_csv
from grader.lms.grades_csv import GradeRow
from tests.lms.gradebook_files import GRADE_ROW
from tools.paths import CHECKOUT


def rows(*found: GradeRow) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(grades_csv.dump(found).decode("utf-8-sig"), newline="")))


def test_a_row_has_every_field() -> None:
    (row,) = rows(GRADE_ROW)
    assert list(row) == [field.name for field in fields(GradeRow)]
    assert (row["points"], row["penalty"], row["override"], row["visible"]) == ("87.5", "10", "true", "false")


def test_no_points_are_an_empty_cell() -> None:
    (row,) = rows(replace(GRADE_ROW, points=None, raw_points=None, excused=True))
    assert (row["points"], row["raw_points"], row["excused"]) == ("", "", "true")


def test_the_published_schema_is_that_of_the_file() -> None:
    path = CHECKOUT / "docs" / "reference" / "grades.schema.json"
    assert path.read_bytes() == grades_csv.schema_bytes(), (
        "regenerate it: python -m grader.lms.grades_csv > docs/reference/grades.schema.json"
    )
    listed = grades_csv.schema()["fields"]
    assert isinstance(listed, list)
    assert [field["name"] for field in listed] == list(rows(GRADE_ROW)[0])


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "x;="])
@pytest.mark.parametrize("field", ["student", "name", "email", "section", "lab"])
def test_nothing_is_calculated(start: str, field: str) -> None:
    changed: dict[str, Any] = {field: f"{start}1+1"}
    (row,) = rows(replace(GRADE_ROW, **changed))
    assert "'" in row[field]
