"""``grader override`` and ``grader excuse``: decisions that outlive every regrade."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.cli.console import out

FILE = Path("class", "transpose", "ada.cu")
BECAUSE = ["--because", "the handout was unclear", "--by", "Grace"]
OVERRIDE = ["override", "ada", "transpose", *BECAUSE]


@pytest.fixture(autouse=True)
def _graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    FILE.parent.mkdir(parents=True)
    FILE.write_text("no C at all", encoding="utf-8")
    grade()


def grade(*options: str) -> None:
    assert run(["grade", "class", "--engine", "emulator", "--trust-submissions", *options]) == 0


def report() -> dict[str, Any]:
    (found,) = json.loads(Path("results", "results.json").read_bytes())["reports"]
    assert isinstance(found, dict)
    return found


def cell(column: str) -> str:
    with Path("results", "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    return row[column]


def test_points_count_in_every_file_and_survive_a_regrade(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*OVERRIDE, "--points", "12.5"]) == 0
    grade("--fresh")
    shown = capsys.readouterr().out
    assert "0 → 12.5" in shown
    assert (report()["score"], cell("score")) == (12.5, "12.5")
    assert report()["adjustment"]["score"] == 0
    assert "0 → 12.5 points by Grace" in Path("results", "report.html").read_text("utf-8")


def test_other_content_gets_its_own_points() -> None:
    assert run([*OVERRIDE, "--points", "12.5"]) == 0
    FILE.write_text("something else", encoding="utf-8")
    grade()
    assert report()["score"] == 0
    assert report()["adjustment"] is None


def test_the_graded_points_count_again_after_a_withdrawal() -> None:
    assert run([*OVERRIDE, "--points", "12.5"]) == 0
    assert run([*OVERRIDE, "--withdraw"]) == 0
    grade()
    assert report()["score"] == 0


def test_a_verdict_is_replaced_and_the_student_reads_the_comment(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*OVERRIDE, "--verdict", "accepted", "--comment", "See the forum."]) == 0
    grade()
    assert (report()["verdict"], report()["adjustment"]["verdict"]) == ("accepted", "failed to build")
    capsys.readouterr()
    assert run(["show", "ada", "transpose", "--as", "student"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "failed to build → accepted by staff" in shown
    assert "See the forum." in shown
    assert "Grace" not in shown
    assert "the handout was unclear" not in shown


def test_an_excused_student_has_no_score(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["excuse", "ada", "transpose", *BECAUSE]) == 0
    FILE.write_text("something else", encoding="utf-8")
    grade()
    assert cell("score") == ""
    assert "excused" in capsys.readouterr().out
    assert run(["excuse", "ada", "transpose", *BECAUSE, "--withdraw"]) == 0
    grade()
    assert cell("score") == "0"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ([*OVERRIDE], "Say what counts"),
        ([*OVERRIDE, "--points", "1", "--withdraw"], "Say what counts"),
        ([*OVERRIDE, "--points", "101"], "101 points are not possible"),
        ([*OVERRIDE, "--points", "nan"], "not possible"),
        (["override", "ada", "transpose", "--points", "1"], "A decision needs a reason"),
        (["override", "bob", "transpose", "--points", "1", *BECAUSE], "No submission of bob is graded"),
        (["excuse", "ada", "sums", *BECAUSE], "There is no lab called 'sums'"),
    ],
    ids=lambda value: " ".join(value[3:]) if isinstance(value, list) else "",
)
def test_an_impossible_decision_is_one_line(
    typed: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(typed) == 2
    shown = capsys.readouterr().err.strip()
    assert message in shown
    assert "\n" not in shown


@pytest.mark.parametrize(("language", "word"), [("en", "points by staff"), ("ru", "баллы"), ("zh", "分")])
def test_feedback_says_what_staff_decided(language: str, word: str) -> None:
    assert run([*OVERRIDE, "--points", "12.5", "--comment", "See the forum."]) == 0
    assert run(["feedback", "--out", "out", "--language", language]) == 0
    for suffix in ("txt", "html"):
        text = Path("out", f"ada.{suffix}").read_text("utf-8")
        assert word in text
        assert "See the forum." in text
        assert "Grace" not in text


def test_every_decision_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(out, "_width", 160)
    assert run([*OVERRIDE, "--points", "12.5", "--verdict", "accepted"]) == 0
    assert run([*OVERRIDE, "--withdraw"]) == 0
    assert run(["excuse", "ada", "transpose", *BECAUSE]) == 0
    capsys.readouterr()
    assert run(["decisions", "--student", "ada"]) == 0
    shown = capsys.readouterr().out
    places = [shown.index(what) for what in ("12.5 points, verdict: accepted", "withdrawn", "excused")]
    assert places == sorted(places)
    assert shown.count("Grace") == 3
    assert run(["decisions", "--lab", "row-sum"]) == 0
    assert "Grace" not in capsys.readouterr().out
