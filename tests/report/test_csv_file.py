"""``grades.csv``, as a spreadsheet and as Python read it."""

import csv
import io
from pathlib import Path

import pytest

from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report import csv_file
from tests.report.examples import NASTY_NAMES, REPORTS, kernel, report, speedup
from tools.messages import english


def _rows(*reports: Report) -> list[dict[str, str]]:
    text = csv_file.dump(reports).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_submission_is_one_row_with_every_column() -> None:
    rows = _rows(*REPORTS)
    assert len(rows) == len(REPORTS)
    assert tuple(rows[0]) == csv_file.COLUMNS
    assert all(None not in row and None not in row.values() for row in rows)


def test_excel_sees_utf_8_and_windows_line_ends() -> None:
    data = csv_file.dump(REPORTS)
    assert data.startswith(b"\xef\xbb\xbfstudent,lab,")
    assert data.count(b"\n") == data.count(b"\r\n") == len(REPORTS) + 1


def test_a_row_has_the_headline() -> None:
    (row,) = _rows(
        report("a", "matmul", kernel("matmul", fast=speedup(3.9217)), score=87.5, file="matmul/a.cu")
    )
    assert row == {
        "student": "a",
        "lab": "matmul",
        "verdict": "accepted",
        "score": "87.5",
        "max_score": "100",
        "speedup": "3.9217",
        "speedup_kind": "modelled",
        "reason": "every kernel is right",
        "file": "matmul/a.cu",
    }


def test_only_not_gradable_has_no_score() -> None:
    rows = _rows(*(report("a", "matmul", kernel("k", verdict), score=0.0) for verdict in Verdict))
    assert {row["verdict"] for row in rows if row["score"] == ""} == {"not gradable"}
    assert {row["max_score"] for row in rows} == {"100"}


def test_a_suspicious_speed_is_withheld() -> None:
    (row,) = _rows(report("a", "matmul", kernel("matmul", Verdict.SUSPICIOUS, fast=speedup(400.0))))
    assert (row["speedup"], row["speedup_kind"]) == ("", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff20"])
@pytest.mark.parametrize("field", ["student", "lab", "reason", "file"])
def test_nothing_is_calculated(start: str, field: str) -> None:
    text = f"{start}1+1"
    graded = report("a", "b", kernel("k"), reason="c", file="d")
    values = {
        "student": graded.student,
        "lab": graded.lab,
        "reason": english(graded.reason),
        "file": graded.file,
        field: text,
    }
    (row,) = _rows(
        report(values["student"], values["lab"], kernel("k"), reason=values["reason"], file=values["file"])
    )
    assert row[field].startswith("'")


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_no_name_breaks_a_line_or_a_cell(name: str) -> None:
    (row,) = _rows(report(name, "matmul", kernel("matmul"), file=name))
    assert row["verdict"] == "accepted"
    assert row["student"].isprintable() or "\u200d" in row["student"]


def test_rows_are_in_the_order_of_labs_and_students() -> None:
    rows = _rows(*(report(s, lab, kernel("k")) for s, lab in (("s-10", "b"), ("s-9", "b"), ("z", "a"))))
    assert [(row["lab"], row["student"]) for row in rows] == [("a", "z"), ("b", "s-9"), ("b", "s-10")]


def test_it_is_written_where_asked(tmp_path: Path) -> None:
    csv_file.write(tmp_path / "grades.csv", REPORTS)
    assert (tmp_path / "grades.csv").read_bytes() == csv_file.dump(REPORTS)
