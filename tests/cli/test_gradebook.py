"""``grader gradebook``: the table, its files, and one grade explained."""

import json
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.console import out
from grader.config import load
from grader.store.people import Person
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
