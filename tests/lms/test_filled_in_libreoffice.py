"""Filled gradebooks and plain grades in a real spreadsheet: nothing that Grader writes is calculated."""

import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from grader.lms import grades_csv
from grader.lms.words import System
from tests.lms.gradebook_files import ADA, GRADE_ROW, MOODLE_EN, filled

PROGRAM = shutil.which("soffice")
FORMULAS = (
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    "\r=1+1",
    "x;=1+1",
    "\uff1d1+1",
    "=cmd|' /C calc'!A0",
)


@pytest.mark.skipif(PROGRAM is None, reason="LibreOffice is not installed")
def test_no_cell_that_is_written_is_calculated(tmp_path: Path) -> None:
    worksheet = filled(System.MOODLE, MOODLE_EN.encode(), (replace(ADA, feedback=FORMULAS),)).data
    grades = grades_csv.dump(replace(GRADE_ROW, student=text, name=text, email=text) for text in FORMULAS)
    for name, data in (("worksheet.csv", worksheet), ("grades.csv", grades)):
        (tmp_path / name).write_bytes(data)
    subprocess.run(
        [
            *(str(PROGRAM), f"-env:UserInstallation=file://{tmp_path}/profile", "--headless"),
            *("--infilter=CSV:44/59,34,76,1", "--convert-to", "ods", "--outdir", str(tmp_path)),
            *(str(tmp_path / name) for name in ("worksheet.csv", "grades.csv")),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    for name in ("worksheet.ods", "grades.ods"):
        content = zipfile.ZipFile(tmp_path / name).read("content.xml").decode()
        assert "table-row" in content
        assert "table:formula" not in content
