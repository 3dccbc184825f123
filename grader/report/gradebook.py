"""The gradebook as files: CSV for spreadsheets, JSON for programs.

``python -m grader.report.gradebook`` prints the JSON Schema.
"""

import csv
import io
import sys
from dataclasses import dataclass
from typing import Any

from grader.report import json_files
from grader.report.csv_file import cell, number

SCHEMA_VERSION = 1
"""Version of the document; raised when readers of the old version would misread the new one."""

_BOUNDS: json_files.Bounds = {
    "GradebookDocument": {"schema_version": {"const": SCHEMA_VERSION}, "created_at": {"format": "date-time"}},
    "Grade": {"max_points": {"minimum": 0}, "late_days": {"minimum": 0}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What a student's work on a lab counts; ``points`` is ``null`` if nothing counts.

    ``raw_points`` is what the kept attempt scored, ``explanation`` each step in English.
    """

    lab: str
    points: float | None
    max_points: float
    raw_points: float | None
    penalty: float
    late_seconds: float
    late_days: int
    attempt: int | None
    excused: bool
    override: bool
    visible: bool
    explanation: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """One student; ``total`` is the weighted percentage, ``grade`` the course's for it, empty without boundaries."""

    id: str
    name: str
    email: str
    section: str
    total: float | None
    grade: str
    grades: tuple[Grade, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GradebookDocument:
    """The content of the JSON file. ``created_at`` is ISO 8601 in UTC."""

    schema_version: int
    grader_version: str
    created_at: str
    course: str
    labs: tuple[str, ...]
    students: tuple[Student, ...]


def csv_of(document: GradebookDocument) -> bytes:
    """One line for each student and a column for each lab, empty where nothing counts; encoded as ``grades.csv`` is."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["student", "name", "email", "section", *map(cell, document.labs), "total", "grade"])
    for student in document.students:
        points = {grade.lab: grade.points for grade in student.grades}
        names = map(cell, (student.id, student.name, student.email, student.section))
        figures = (_number(value) for value in (*map(points.get, document.labs), student.total))
        writer.writerow([*names, *figures, cell(student.grade)])
    return stream.getvalue().encode("utf-8-sig")


def json_of(document: GradebookDocument) -> bytes:
    """The document as JSON."""
    return json_files.dump(document)


def schema() -> dict[str, Any]:
    """The JSON Schema of what ``json_of`` writes."""
    return json_files.schema_of(GradebookDocument, "Grader gradebook", _BOUNDS)


def _number(value: float | None) -> str:
    return "" if value is None else number(value)


if __name__ == "__main__":
    sys.stdout.buffer.write(json_files.indented(schema()))
