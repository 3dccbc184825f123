"""The files of the gradebook."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grader.report import json_files
from grader.report.gradebook import (
    SCHEMA_VERSION,
    Grade,
    GradebookDocument,
    Student,
    csv_of,
    json_of,
    schema,
)
from tools.paths import CHECKOUT


def document(student: str = "ada", **grade: Any) -> GradebookDocument:
    fields: dict[str, Any] = {
        "lab": "row-sum",
        "points": 81.25,
        "max_points": 100.0,
        "raw_points": 90.0,
        "penalty": 8.75,
        "late_seconds": 60.0,
        "late_days": 0,
        "attempt": 2,
        "excused": False,
        "override": False,
        "visible": True,
        "explanation": ("late",),
    }
    grades = (Grade(**{**fields, **grade}),)
    person = Student(id=student, name="Ада", email="", section="A", total=81.25, grade="=B", grades=grades)
    return GradebookDocument(
        schema_version=SCHEMA_VERSION,
        grader_version="0",
        created_at="2026-03-01T12:00:00+00:00",
        course="GPU",
        labs=("row-sum",),
        students=(person,),
    )


def test_the_json_meets_its_schema() -> None:
    content = json.loads(json_of(document()))
    Draft202012Validator(schema()).validate(content)
    assert content["students"][0]["grades"][0]["raw_points"] == 90


def test_the_published_schema_is_up_to_date() -> None:
    published = Path(CHECKOUT, "docs", "reference", "gradebook.schema.json").read_bytes()
    assert published == json_files.indented(schema()), "run `python -m grader.report.gradebook`"


@pytest.mark.parametrize(("points", "cell"), [(81.25, "81.25"), (None, ""), (0.0, "0")])
def test_a_grade_is_a_cell_of_its_lab(points: float | None, cell: str) -> None:
    head, line = csv_of(document(points=points)).decode("utf-8-sig").splitlines()
    assert head == "student,name,email,section,row-sum,total,grade"
    assert line.split(",")[4:] == [cell, "81.25", "'=B"]


@pytest.mark.parametrize("student", ["=1+1", "@ada", "+7", "-1"])
def test_no_name_starts_a_formula(student: str) -> None:
    line = csv_of(document(student)).decode("utf-8-sig").splitlines()[1]
    assert line.startswith(f"'{student}")
