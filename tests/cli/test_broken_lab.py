"""A broken lab of a course stops nothing: it is named with file and line, and the other labs are graded."""

import json
from pathlib import Path

import pytest

from grader.cli.app import run
from tests.labs.example_lab import GOOD, folder_of_labs

KERNEL = "__global__ void vector_add(const float *a, const float *b, float *c, int n) {}\n"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course with the lab ``scale``, which lacks its folder of shared code, and a built-in lab."""
    monkeypatch.chdir(tmp_path)
    broken = GOOD.replace('baseline = "global"', 'baseline = "global"\ncommon = "shared-code"')
    folder_of_labs(tmp_path, manifest=broken)
    (tmp_path / "grader.toml").write_text('[labs]\nfolders = ["labs"]\n', encoding="utf-8")
    for lab in ("scale", "vector-add"):
        (tmp_path / "class" / lab).mkdir(parents=True)
        (tmp_path / "class" / lab / "ann.cu").write_text(KERNEL, encoding="utf-8")
    return tmp_path


def test_the_other_labs_of_a_class_are_graded(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grade", "class", "--trust-submissions"]) == 0
    shown = capsys.readouterr()
    assert "labs/scale/lab.toml line 9" in shown.err
    assert "shared-code" in shown.err
    assert "Traceback" not in shown.out + shown.err
    document = json.loads((course / "results" / "results.json").read_text(encoding="utf-8"))
    assert [(report["lab"], report["student"]) for report in document["reports"]] == [("vector-add", "ann")]


@pytest.mark.usefixtures("course")
def test_asking_for_it_says_why_it_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["grade", "class", "--lab", "scale", "--trust-submissions"]) == 2
    assert "labs/scale/lab.toml line 9" in capsys.readouterr().err
