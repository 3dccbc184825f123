"""The grades of a course as CSV with a published schema, for programs and spreadsheets."""

import csv
import io
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from grader.model.formulas import without_formula
from grader.model.text import printable

Cell = str | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRow:
    """One person and lab. ``points`` is missing while nothing counts; ``submitted_at`` is ISO 8601 in UTC."""

    student: str
    name: str
    email: str
    section: str
    lab: str
    points: float | None
    max_points: float
    raw_points: float | None
    penalty: float
    late_seconds: float
    late_days: int
    excused: bool
    override: bool
    visible: bool
    submitted_at: str
    verdict: str


_TYPES = {str: "string", float: "number", int: "integer", bool: "boolean"}
_COLUMNS: tuple[tuple[str, type, str], ...] = (
    ("student", str, "the id of the person in the course"),
    ("name", str, "the name in the roster"),
    ("email", str, "the address in the roster"),
    ("section", str, "the section in the roster"),
    ("lab", str, "the name of the lab"),
    ("points", float, "the points that count; empty while there are none, and for excused people"),
    ("max_points", float, "the most points that the lab gives"),
    ("raw_points", float, "the points of the kept attempt before any penalty; empty if none is graded"),
    ("penalty", float, "points taken for lateness"),
    ("late_seconds", float, "how late the kept attempt is, beyond late days"),
    ("late_days", int, "late days that the lab spends"),
    ("excused", bool, "whether the person is excused from the lab"),
    ("override", bool, "whether staff set the points"),
    ("visible", bool, "whether the student may see the points now"),
    ("submitted_at", str, "when the kept attempt was submitted, ISO 8601 in UTC"),
    ("verdict", str, "the verdict on the newest graded work"),
)


def dump(rows: Iterable[GradeRow]) -> bytes:
    """``rows`` as CSV (RFC 4180) in UTF-8 with a byte order mark, which Excel needs. No text becomes a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([name for name, _, _ in _COLUMNS])
    for row in rows:
        writer.writerow([_text(getattr(row, name)) for name, _, _ in _COLUMNS])
    return stream.getvalue().encode("utf-8-sig")


def schema() -> dict[str, object]:
    """The Table Schema (frictionless data) of the file."""
    return {
        "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
        "fields": [
            {"name": name, "type": _TYPES[kind], "description": about} for name, kind, about in _COLUMNS
        ],
        "primaryKey": ["student", "lab"],
        "missingValues": [""],
    }


def schema_bytes() -> bytes:
    """The schema as JSON."""
    return json.dumps(schema(), indent=2).encode() + b"\n"


def _text(value: Cell) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return printable(without_formula(value))
        case _:
            return f"{value:.4f}".rstrip("0").rstrip(".")


if __name__ == "__main__":
    sys.stdout.buffer.write(schema_bytes())
