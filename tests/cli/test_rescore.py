"""A change of points runs nothing; a change of a case runs again, and both say why."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.console import out
from grader.grading import submission as grading
from tests.labs.example_lab import LAB, folder_of_labs

RIGHT = (
    "__global__ void scale(const float *x, float *y, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n"
)
WRONG = RIGHT.replace("2 * x", "3 * x")
CONFIG = '[labs]\nfolders = ["labs"]\n[scoring]\nmodelled_speedups = true\n'
MANIFEST, CODE = Path("labs", "scale", "lab.toml"), Path("labs", "scale", "lab.py")


@pytest.fixture(autouse=True)
def _graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 200)
    folder_of_labs(tmp_path)
    Path("reference", "scale", "global.cu").write_text(RIGHT, encoding="utf-8")
    Path("grader.toml").write_text(CONFIG, encoding="utf-8")
    Path("class", "scale").mkdir(parents=True)
    for student, text in {"ada": RIGHT, "bob": WRONG, "cyd": RIGHT + "// mine\n"}.items():
        Path("class", "scale", f"{student}.cu").write_text(text, encoding="utf-8")
    grade()
    assert scores() == {"ada": 100, "bob": 0, "cyd": 100}
    capsys.readouterr()


def grade(*options: str) -> None:
    assert run(["grade", "class", "--engine", "emulator", "--trust-submissions", *options]) == 0


def scores() -> dict[str, float]:
    reports = json.loads(Path("results", "results.json").read_bytes())["reports"]
    return {report["student"]: report["score"] for report in reports}


def manifest(before: str, after: str) -> None:
    text = MANIFEST.read_text("utf-8")
    assert before in text
    MANIFEST.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture
def _nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "build_request", lambda *_: pytest.fail("it ran"))


def points_of_the_course() -> None:
    Path("grader.toml").write_text(f"{CONFIG}[labs.scale.rubric]\ncorrectness = 60\n", encoding="utf-8")


@pytest.mark.usefixtures("_nothing_runs")
@pytest.mark.parametrize(
    ("change", "part", "points"),
    [
        (lambda: manifest("correctness = 80", "correctness = 40"), "correctness", 60),
        (lambda: manifest("at_least = 0.9", "at_least = 50"), "speed", 80),
        (lambda: manifest('title = "Scale"', 'title = "Double"'), "title", 100),
        (lambda: manifest('visibility = "public"', 'visibility = "public" # still'), "", 100),
        (points_of_the_course, "correctness", 80),
    ],
    ids=["points", "threshold", "title", "comment", "overlay"],
)
def test_a_changed_rubric_runs_nothing(
    change: Callable[[], None], part: str, points: float, capsys: pytest.CaptureFixture[str]
) -> None:
    change()
    grade()
    assert scores() == {"ada": points, "bob": 0, "cyd": points}
    said = capsys.readouterr().err
    assert "0 to grade" in said
    assert (f"scale: 3 rescored, its {part} changed" in said) == bool(part)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda: manifest("n = 100", "n = 101"), "its cases small changed"),
        (lambda: manifest("factor = 0.0", "factor = 0.5"), "its tolerance changed"),
        (lambda: CODE.write_text(f"{LAB}\n# more\n", encoding="utf-8"), "its code changed"),
    ],
    ids=["case", "tolerance", "code"],
)
def test_a_changed_case_runs_again(
    change: Callable[[], None], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change()
    assert run(["rescore"]) == 0
    assert f"scale: 3 to grade again, {part}" in capsys.readouterr().err
    grade()
    said = capsys.readouterr().err
    assert "3 to grade" in said
    assert f"scale: 3 to grade again, {part}" in said


@pytest.mark.usefixtures("_nothing_runs")
def test_a_dry_run_shows_who_changes_and_stores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    manifest("correctness = 80", "correctness = 40")
    assert run(["rescore", "--dry-run"]) == 0
    shown = capsys.readouterr()
    assert "scale: 3 would be rescored, its correctness changed" in shown.err
    assert "100 → 60" in shown.out
    assert "2 down" in shown.out
    assert run(["diff", "results/results.json"]) == 0
    assert "agree" in capsys.readouterr().out


@pytest.mark.usefixtures("_nothing_runs")
def test_a_rescore_is_stored_once_and_keeps_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["override", "bob", "scale", "--points", "30", "--because", "close"]) == 0
    manifest("correctness = 80", "correctness = 40")
    assert run(["rescore", "--student", "ada", "--student", "bob"]) == 0
    assert run(["show", "bob", "scale"]) == 0
    assert "0 → 30" in capsys.readouterr().out
    assert run(["rescore"]) == 0
    said = capsys.readouterr().err
    assert "scale: 1 rescored" in said
    assert "2 results have the score" in said


def test_equal_files_of_another_student_have_the_same_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    for student in ("dan", "eve"):
        Path("class", "scale", student).mkdir()
        Path("class", "scale", student, "scale.cu").write_text(RIGHT, encoding="utf-8")
        grade()
        assert scores()[student] == 100
        monkeypatch.setattr(grading, "build_request", lambda *_: pytest.fail("it ran"))
