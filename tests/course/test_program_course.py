"""A course with a program lab: its class is graded, ranked, and scored again without a second run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.grading import batch
from tests.labs.program_lab import CODE, FUNCTION, FUNCTION_SOURCE, manifest

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

LEAKS = FUNCTION_SOURCE.replace("    if (n != 203) cudaFree(n == 204 ? dx : dy);\n", "")


@pytest.fixture
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lab, reference, class_ = Path("labs/double"), Path("reference/double"), Path("class/double")
    for folder in (lab, reference, class_):
        folder.mkdir(parents=True)
    (lab / "lab.toml").write_text(manifest(FUNCTION), encoding="utf-8")
    (lab / "lab.py").write_text(CODE, encoding="utf-8")
    (reference / "plain.cu").write_text(FUNCTION_SOURCE, encoding="utf-8")
    (class_ / "ada.cu").write_text(FUNCTION_SOURCE, encoding="utf-8")
    (class_ / "bob.cu").write_text(LEAKS, encoding="utf-8")
    Path("grader.toml").write_text('[labs]\nfolders = ["labs"]\n', encoding="utf-8")


def scores() -> dict[str, Any]:
    reports = json.loads(Path("results/results.json").read_text(encoding="utf-8"))["reports"]
    return {report["student"]: report["score"] for report in reports}


@pytest.mark.usefixtures("_course")
def test_a_class_is_graded_ranked_and_scored_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["grade", "class"]) == 0
    assert scores() == {"ada": 100, "bob": 90}
    lab = Path("labs/double/lab.toml")
    text = lab.read_text(encoding="utf-8")
    more = text.replace('check = "no-leak"\npoints = 10', 'check = "no-leak"\npoints = 30')
    lab.write_text(more, encoding="utf-8")
    monkeypatch.delattr(batch, "collect_facts")
    assert run(["grade", "class"]) == 0
    assert scores() == {"ada": 120, "bob": 90}
    capsys.readouterr()
    assert run(["leaderboard", "double"]) == 0
    assert "Tesla T4" in capsys.readouterr().out
    assert 'class="lane-copy-in"' in Path("results/report.html").read_text(encoding="utf-8")
