"""``grades.csv`` in a real spreadsheet: no cell of it is a formula, whatever separators the reader's country has."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from grader.model.verdict import Verdict
from grader.report import csv_file
from tests.report.examples import kernel, report

PROGRAM = shutil.which("soffice")

FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    "x;=1+1",
    "x; =1+1",
    'x";=1+1;"',
    "x,=1+1",
    "x|=1+1",
    "\uff1d1+1",
    "x;\uff1d1+1",
    "=cmd|' /C calc'!A0",
    'x;=HYPERLINK("http://example.org";"x")',
    "x\r\n=1+1",
    "'=1+1",
]

COMMA, SEMICOLON, TAB, BAR = 44, 59, 9, 124


def table() -> bytes:
    """Return a table with each text as the name of a student, of a file and as a reason."""
    return csv_file.dump(
        report(text, "lab", kernel("k", Verdict.WRONG, text), reason=text, file=text) for text in FORMULAS
    )


@pytest.mark.skipif(PROGRAM is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("separator", [COMMA, SEMICOLON, TAB, BAR])
def test_no_text_becomes_a_formula_in_libreoffice(separator: int, tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_bytes(table())
    subprocess.run(
        [
            *(str(PROGRAM), f"-env:UserInstallation=file://{tmp_path}/profile", "--headless"),
            *(f"--infilter=CSV:{separator},34,76,1", "--convert-to", "ods"),
            *("--outdir", str(tmp_path), str(tmp_path / "grades.csv")),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    content = zipfile.ZipFile(tmp_path / "grades.ods").read("content.xml").decode()
    assert "table-row" in content
    assert "table:formula" not in content


@pytest.mark.parametrize("text", FORMULAS)
def test_no_separator_is_followed_by_a_formula(text: str) -> None:
    (row,) = (
        csv_file.dump([report(text, "lab", kernel("k"), reason=text)]).decode("utf-8-sig").splitlines()[1:]
    )
    for separator in ";\t|":
        for cell in row.split(separator):
            assert not cell.strip('" ').startswith(("=", "+", "-1", "@", "\uff1d")), cell
