"""``grades.csv``: one line per submission, for a spreadsheet."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from grader.messages import render
from grader.model.formulas import without_formula
from grader.model.report import Report
from grader.report.files import write_atomically
from grader.report.summary import best_speedup, has_score, ordered
from grader.report.text import safe_text

COLUMNS = (
    "student",
    "lab",
    "verdict",
    "score",
    "max_score",
    "speedup",
    "speedup_kind",
    "reason",
    "file",
)


def dump(reports: Iterable[Report]) -> bytes:
    """The reports as CSV (RFC 4180) in UTF-8, by lab and student.

    It starts with a byte order mark: without one, Excel reads the file in the machine's legacy encoding and garbles
    every name that is not ASCII. A text that would start a formula gets a leading apostrophe, also behind a semicolon.
    Unprintable characters are escaped, so a submission is always one line. A submission that was not gradable has an
    empty score cell.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    writer.writerows(_row(report) for report in ordered(reports))
    return stream.getvalue().encode("utf-8-sig")


def write(path: Path, reports: Iterable[Report]) -> None:
    """Write the reports to ``path``. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, dump(reports))


def _row(report: Report) -> tuple[str, ...]:
    speedup = best_speedup(report)
    return (
        cell(report.student),
        cell(report.lab),
        report.verdict,
        number(report.score) if has_score(report) else "",
        number(report.max_score),
        "" if speedup is None else number(speedup.value),
        "" if speedup is None else speedup.kind,
        cell(render(report.reason)),
        cell(report.file),
    )


def cell(text: str) -> str:
    """``text`` as no formula of a spreadsheet."""
    return safe_text(without_formula(text))


def number(value: float) -> str:
    """Up to four decimals, without zeros at the end."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
