"""The page "From a Moodle zip to grades in Moodle", played from its first command to its last."""

import csv
import re
import shlex
import zipfile
from pathlib import Path

import pytest

from grader.cli.app import run
from tests.lms.archives.builders import zipped
from tests.repository.project import captioned_files
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "teaching-assistant" / "moodle.md"
RIGHT = (CHECKOUT / "reference" / "row-sum" / "global.cu").read_text(encoding="utf-8")
FOLDERS = {
    "Ada Example_12345_assignsubmission_file/row_sum.cu": RIGHT,
    "Юлия Ёлкина_12346_assignsubmission_file/row_sum.cu": RIGHT.replace("+=", "-="),
}


def commands() -> list[list[str]]:
    """The commands of the page, in order; this machine's submissions are trusted."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    found = [
        shlex.split(line)[2:]
        for block in blocks
        for line in block.splitlines()
        if line.startswith("$ grader")
    ]
    return [[*each, "--trust-submissions"] if each == ["grade"] else each for each in found]


def cells(path: str) -> list[list[str]]:
    return list(csv.reader(Path(path).read_text("utf-8").splitlines()))


def test_the_page_leads_from_the_zip_to_grades(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in captioned_files(PAGE).items():
        Path(name).write_text(text, encoding="utf-8")
    zipped(tmp_path / "GPU26-row-sum-4711.zip", FOLDERS)
    played = commands()
    assert [each[0] for each in played] == ["course", "import", "grade", "export", "feedback"]
    for command in played:
        assert run(command) == 0, command
    before, after = cells("worksheet.csv"), cells("worksheet-graded.csv")
    assert [row[:4] + row[5:9] for row in after] == [row[:4] + row[5:9] for row in before]
    ada, yulia, li = after[1:]
    assert float(ada[4]) > float(yulia[4])
    assert "grader-feedback" in ada[9]
    assert li == before[3]
    with zipfile.ZipFile("feedback.zip") as archive:
        names = {name.split("/")[0] for name in archive.namelist()}
    assert names == {name.split("/")[0] for name in FOLDERS}
