"""``grader gradebook``: the table, its files, and one grade explained."""

import json
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.console import out
from grader.config import load
from grader.store.people import IdSystem, Person, PersonId
from grader.store.rulings import Override
from grader.store.sql_store import open_store
from tests.store.examples import decision, fast_report, put_score, submission


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 200)
    store = open_store(load(tmp_path))
    work = submission("ada")
    put_score(store, work, fast_report(work, score=50))
    store.decisions.add(decision(Override(points=77.5), work))
    store.people.put_all([Person(id="ada", section="A"), Person(id="bo", section="B")])
    store.close()


def test_the_table_marks_what_staff_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gradebook"]) == 0
    shown = capsys.readouterr().out
    assert "77.5*" in shown
    assert "bo" in shown
    assert run(["gradebook", "--section", "B"]) == 0
    assert "77.5" not in capsys.readouterr().out


def test_the_files_hold_the_table() -> None:
    assert run(["gradebook", "--csv", "g.csv", "--json", "g.json"]) == 0
    assert "ada,,,A,77.5,77.5" in Path("g.csv").read_text("utf-8-sig")
    students = json.loads(Path("g.json").read_bytes())["students"]
    assert [each["grades"][0]["points"] for each in students] == [77.5, None]


def test_a_grade_is_explained_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["gradebook", "--explain", "ada", "row-sum"]) == 0
    shown = capsys.readouterr().out
    for part in ("50", "77.5", "ta", "seen in class"):
        assert part in shown
    assert run(["gradebook", "--explain", "eve", "row-sum"]) == 2
    assert run(["gradebook", "--explain", "ada", "no-lab"]) == 2
    assert run(["gradebook", "--explain", "ada", "matmul"]) == 2


def test_an_override_of_former_work_is_part_of_the_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load(Path.cwd()))
    newer = submission("ada", text="newer")
    put_score(store, newer, fast_report(newer, score=60))
    store.close()
    assert run(["gradebook", "--explain", "ada", "row-sum"]) == 0
    assert "former" in capsys.readouterr().out


def test_a_published_lab_is_in_the_audit_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "row-sum", "--because", "done", "--by", "Grace"]) == 0
    assert run(["decisions"]) == 0
    assert "published" in capsys.readouterr().out
    assert run(["publish", "no-lab", "--because", "done"]) == 2


COURSE = """
[course]
time_zone = "UTC"
[labs.row-sum]
due = "2026-02-28 12:30"
late = "10 % a day, at most 3 days"
[groups]
night = ["bo"]
"""


@pytest.fixture
def _late() -> None:
    """Bo submitted work for 80 points, a day after the lab was due."""
    Path("course.toml").write_text(COURSE, encoding="utf-8")
    store = open_store(load(Path.cwd()))
    work = submission("bo")
    put_score(store, work, fast_report(work, score=80))
    ids = (PersonId(system=IdSystem.MOODLE, value="7"),)
    store.people.put_all([Person(id="bo", name="Bo Example", ids=ids)])
    store.close()


@pytest.mark.usefixtures("_late")
def test_the_rules_of_the_course_file_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert points("bo") == 72
    capsys.readouterr()
    assert run(["gradebook", "--explain", "bo", "row-sum"]) == 0
    assert "72" in capsys.readouterr().out
    assert run(["extend", "group:night", "row-sum", "--days", "1", "--because", "ill"]) == 0
    assert points("bo") == 80
    assert run(["extend", "bo", "row-sum", "--until", "2026-02-28 13:00", "--because", "less"]) == 0
    assert points("bo") == 72


def test_a_total_gets_the_grade_of_its_boundary(capsys: pytest.CaptureFixture[str]) -> None:
    course = '[course]\ntime_zone = "UTC"\n[labs.row-sum]\nkeep = "last"\n[grades]\nA = 90\nB = 77.5\n'
    Path("course.toml").write_text(course, encoding="utf-8")
    assert run(["gradebook", "--csv", "g.csv", "--json", "g.json"]) == 0
    assert "77.5 %" in capsys.readouterr().out
    assert "ada,,,A,77.5,77.5,B" in Path("g.csv").read_text("utf-8-sig")
    assert [each["grade"] for each in json.loads(Path("g.json").read_bytes())["students"]] == ["B", ""]


def test_a_student_reads_no_score_that_is_not_published(capsys: pytest.CaptureFixture[str]) -> None:
    course = '[course]\ntime_zone = "UTC"\n[labs.row-sum]\nscores = "when published"\n'
    Path("course.toml").write_text(course, encoding="utf-8")
    assert run(["show", "ada", "row-sum"]) == 0
    capsys.readouterr()
    assert run(["show", "ada", "row-sum", "--as", "student"]) == 2
    seen = capsys.readouterr()
    assert "77.5" not in seen.out + seen.err
    assert run(["publish", "row-sum", "--because", "done"]) == 0
    assert run(["show", "ada", "row-sum", "--as", "student"]) == 0


@pytest.mark.usefixtures("_late")
def test_an_export_carries_what_counts() -> None:
    sheet = 'Identifier,"Full name",Grade,"Maximum grade"\nParticipant 7,"Bo Example",,100.00\n'
    Path("sheet.csv").write_text(sheet, encoding="utf-8")
    assert run(["export", "moodle", "sheet.csv", "--lab", "row-sum"]) == 0
    assert ",72,100.00" in Path("sheet-graded.csv").read_text("utf-8")


def points(student: str) -> float | None:
    """What the student's work on row-sum counts now."""
    assert run(["gradebook", "--json", "g.json"]) == 0
    (found,) = (each for each in json.loads(Path("g.json").read_bytes())["students"] if each["id"] == student)
    counted: float | None = found["grades"][0]["points"]
    return counted
