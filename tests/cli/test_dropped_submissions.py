"""A run with fewer submissions than the results hold reports which ones are dropped."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.dropped_submissions import dropped_note
from grader.report import results_json
from tests.report.examples import DOCUMENT, REPORTS

RESULTS = Path("results", "results.json")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _grade(capsys: pytest.CaptureFixture[str], *typed: str) -> str:
    """Return what the command prints beside the results."""
    assert run(["grade", *typed, "--engine", "emulator", "--trust-submissions"]) == 0
    return capsys.readouterr().err


def _held() -> list[str]:
    return [report["student"] for report in json.loads(RESULTS.read_bytes())["reports"]]


def test_grading_one_of_a_class_names_the_dropped_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for student in ("ada", "bob", "cyd"):
        file = Path("class", "transpose", f"{student}.cu")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("no C at all", encoding="utf-8")
    assert "are left out" not in _grade(capsys, "class")
    message = _grade(capsys, "class/transpose/bob.cu")
    assert (
        "results/results.json held 3 submissions and now holds 1; 2 of the former are left out: "
        "grade the whole class's folder to have them again (what has not changed is not graded again).\n"
    ) in message
    assert _held() == ["bob"]
    message = _grade(capsys, "class")
    assert "3 unchanged since they were last graded, 0 to grade" in message
    assert "left out" not in message
    assert _held() == ["ada", "bob", "cyd"]
    assert "left out" not in _grade(capsys, "class/transpose/bob.cu", "--json", "one.json")
    assert _held() == ["ada", "bob", "cyd"]


def test_nothing_is_said_where_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    one = replace(DOCUMENT, reports=REPORTS[:1])
    assert dropped_note(file, one) == ""
    file.write_text("something else", encoding="utf-8")
    assert dropped_note(file, one) == ""
    results_json.write(file, one)
    assert dropped_note(file, one) == ""
    assert dropped_note(file, DOCUMENT) == ""


def test_as_many_others_are_a_loss_too(tmp_path: Path) -> None:
    results_json.write(tmp_path / "results.json", replace(DOCUMENT, reports=REPORTS[:1]))
    message = dropped_note(tmp_path / "results.json", replace(DOCUMENT, reports=REPORTS[1:2]))
    assert message.startswith("results.json held 1 submission and now holds 1; 1 of the former is left out: ")
    assert "to have it again" in message
