"""``grader export``: the grades of the store in the files of other systems."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.store.people import IdSystem, Person, PersonId
from grader.store.rulings import Excuse, Override
from grader.store.sql_store import open_store
from tests.report.examples import kernel, report
from tests.store.examples import NOON, attempt, decision, put_score, submission

WORKSHEET = (
    'Identifier,"Full name",Grade,"Maximum grade","Last modified (grade)","Feedback comments"\n'
    'Participant 7,"Ada Example",,100.00,-,""\n'
    'Participant 8,"Bo Example",,100.00,-,""\n'
)


RUNNER = [
    *("--classroom", "cs", "--assignment", "row-sum", "--submission", "submit/1"),
    *("--commit", "https://example.org/c", "--release", "https://example.org/r"),
]


@pytest.fixture(autouse=True)
def _stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(load())
    for number, student in enumerate(("ada", "bo"), start=7):
        own = (PersonId(system=IdSystem.MOODLE, value=str(number)),)
        language = "ru" if student == "bo" else ""
        store.people.put_all(
            [Person(id=student, name=f"{student.title()} Example", ids=own, language=language)]
        )
        graded = replace(report(student, "row-sum", kernel("row_sum")), score=10.0 * number)
        put_score(store, submission(student, "row-sum"), graded)
    store.close()
    Path("worksheet.csv").write_text(WORKSHEET, encoding="utf-8")


def test_a_worksheet_gets_grades_and_feedback_in_each_language() -> None:
    assert run(["export", "moodle", "worksheet.csv", "--lab", "row-sum"]) == 0
    ada, bo = Path("worksheet-graded.csv").read_text("utf-8").splitlines()[1:]
    assert ada.startswith('Participant 7,"Ada Example",70,100.00,-,"<div')
    assert bo.startswith('Participant 8,"Bo Example",80,100.00,-,"<div')
    assert "accepted" in ada
    assert "принято" in bo
    assert Path("worksheet.csv").read_text("utf-8") == WORKSHEET


def test_an_excused_person_gets_no_grade(capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load())
    store.decisions.add(decision(Excuse(), student="ada"))
    store.close()
    assert run(["export", "moodle", "worksheet.csv", "--lab", "row-sum"]) == 0
    assert 'Participant 7,"Ada Example",,100.00' in Path("worksheet-graded.csv").read_text("utf-8")
    assert "Ada Example" in capsys.readouterr().err


def test_a_file_is_replaced_only_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", "moodle", "worksheet.csv", "--lab", "row-sum", "--output", "worksheet.csv"]
    assert run(command) == 2
    assert "--overwrite" in capsys.readouterr().err
    assert Path("worksheet.csv").read_text("utf-8") == WORKSHEET
    assert run([*command, "--overwrite"]) == 0
    assert ",70,100.00," in Path("worksheet.csv").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["moodle", "nothing.csv", "--lab", "row-sum"], "nothing.csv"),
        (["moodle", "worksheet.csv", "--lab", "sums"], "'sums'"),
        (["canvas", "worksheet.csv", "--lab", "row-sum"], "Canvas"),
        (["moodle", ".", "--lab", "row-sum"], "cannot be read"),
    ],
)
def test_what_cannot_be_filled_in_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said
    assert not Path("worksheet-graded.csv").exists()


def test_grades_of_every_lab_are_one_file() -> None:
    assert run(["export", "csv", "--output", "grades.csv"]) == 0
    rows = csv.DictReader(Path("grades.csv").read_text("utf-8-sig").splitlines())
    assert [(row["student"], row["lab"], row["points"]) for row in rows] == [
        ("ada", "row-sum", "70"),
        ("bo", "row-sum", "80"),
    ]


def test_results_become_junit_and_check50() -> None:
    assert run(["export", "junit", "--lab", "row-sum", "--output", "all.xml"]) == 0
    assert Path("all.xml").read_bytes().count(b"<testsuite ") == 2
    assert run(["export", "check50", "ada", "row-sum", "--output", "ada.json"]) == 0
    assert json.loads(Path("ada.json").read_bytes())["slug"] == "row-sum"


def test_a_result_for_classroom50_takes_the_variables_of_its_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"):
        monkeypatch.setenv(name, f"submit/{name.lower()}")
    assert run(["export", "result", "ada", "row-sum", "--output", "result.json"]) == 0
    found = json.loads(Path("result.json").read_bytes())
    assert (found["classroom"], found["score"], found["max-score"]) == ("submit/classroom", 70, 100)


def test_scores_of_classroom50_are_filled_in(capsys: pytest.CaptureFixture[str]) -> None:
    Path("scores.json").write_text('{"schema": "classroom50/scores/v1", "assignments": {}}', encoding="utf-8")
    store = open_store(load())
    own = (PersonId(system=IdSystem.GITHUB, value="ada-gh"),)
    store.people.put_all([Person(id="ada", name="Ada Example", ids=own)])
    store.close()
    options = ["--lab", "row-sum", "--classroom", "cs", "--output", "new.json"]
    assert run(["export", "classroom50", "scores.json", *options]) == 0
    (entry,) = json.loads(Path("new.json").read_bytes())["assignments"]["row-sum"]["entries"]
    assert (entry["owner"], entry["submissions"][0]["score"]) == ("ada-gh", 70)
    assert "Bo Example" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["csv"],
        ["junit"],
        ["check50", "ada", "row-sum"],
        ["result", "ada", "row-sum", *RUNNER],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_document_replaces_a_file_only_on_request(arguments: list[str]) -> None:
    Path("there").write_text("old", encoding="utf-8")
    command = ["export", *arguments, "--output", "there"]
    assert run(command) == 2
    assert Path("there").read_text(encoding="utf-8") == "old"
    assert run([*command, "--overwrite"]) == 0
    assert Path("there").read_text(encoding="utf-8") != "old"


def test_a_grade_is_what_counts_by_the_rules_of_the_course() -> None:
    Path("course.toml").write_text(
        '[course]\ntitle = "GPU"\ntime_zone = "UTC"\n[defaults]\nlate = "10 % a day, at most 3 days"\n'
        '[labs.row-sum]\ndue = "2026-02-28 23:59"\n',
        encoding="utf-8",
    )
    work = submission("ada", "row-sum")
    store = open_store(load())
    store.attempts.put_all([attempt("ada", "row-sum", submission=work.digest, submitted_at=NOON)])
    store.close()
    assert run(["export", "csv", "--output", "grades.csv"]) == 0
    (row,) = (
        each
        for each in csv.DictReader(Path("grades.csv").read_text("utf-8-sig").splitlines())
        if each["student"] == "ada"
    )
    assert (row["raw_points"], row["submitted_at"]) == ("70", "2026-03-01T12:00:00+00:00")
    assert float(row["penalty"]) > 0
    assert float(row["points"]) == 70 - float(row["penalty"])
    assert run(["export", "moodle", "worksheet.csv", "--lab", "row-sum"]) == 0
    ada = Path("worksheet-graded.csv").read_text("utf-8").splitlines()[1]
    assert f'"Ada Example",{row["points"]},100.00' in ada


def test_a_student_does_not_read_why_staff_set_the_points() -> None:
    store = open_store(load())
    store.decisions.add(decision(Override(points=42.0), submission("ada", "row-sum"), student="ada"))
    store.close()
    assert run(["export", "moodle", "worksheet.csv", "--lab", "row-sum"]) == 0
    ada = Path("worksheet-graded.csv").read_text("utf-8").splitlines()[1]
    assert ",42,100.00," in ada
    assert "seen in class" not in ada
