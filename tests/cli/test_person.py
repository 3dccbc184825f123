"""``grader person``: one zip with everything about a person, and nothing left of an erased one."""

import json
import zipfile
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.store.people import IdSystem, Person, PersonId
from grader.store.rulings import LineComment, RegradeRequest
from grader.store.sql_store import open_store
from tests.store.examples import attempt, decision, put_score, submission

ERASE = ["person", "erase", "ada-lovelace", "--because", "asked", "--by", "Grace"]


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(load(tmp_path))
    for student, text in (("ada-lovelace", "secret of ada-lovelace"), ("bob-kahn", "secret of bob-kahn")):
        work = submission(student, text=text)
        put_score(store, work)
        store.attempts.put_all([attempt(student, source="upload", submission=work.digest)])
        store.decisions.add(decision(LineComment(file="main.cu", line=1, text=f"dear {student}"), work))
        store.decisions.add(decision(RegradeRequest(), work))
        ids = (PersonId(system=IdSystem.MOODLE, value=f"1-{student}"),)
        store.people.put_all([Person(id=student, name=f"Name of {student}", ids=ids)])
    store.close()


def test_the_export_holds_files_and_rows_of_one_person() -> None:
    assert run(["person", "export", "moodle:1-ada-lovelace", "--output", "ada-lovelace.zip"]) == 0
    with zipfile.ZipFile("ada-lovelace.zip") as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    assert any(
        b"secret of ada-lovelace" in data for name, data in content.items() if name.startswith("files/")
    )
    assert json.loads(content["person.json"])["person"] == "ada-lovelace"
    assert b"Name of ada-lovelace" in content["tables/people.json"]
    assert b"dear ada-lovelace" in content["tables/decisions.json"]
    assert b"kernels" in content["tables/reports.json"]
    assert not any(b"bob-kahn" in data for data in content.values())


def test_an_export_replaces_no_file_and_needs_a_person() -> None:
    assert run(["person", "export", "eve", "--output", "eve.zip"]) == 2
    assert run(["person", "export", "ada-lovelace", "--output", "ada-lovelace.zip"]) == 0
    assert run(["person", "export", "ada-lovelace", "--output", "ada-lovelace.zip"]) == 2
    assert run(["person", "export", "ada-lovelace", "--output", "ada-lovelace.zip", "--overwrite"]) == 0


def test_a_person_is_erased_only_when_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ERASE) == 2
    assert "--yes" in capsys.readouterr().err
    assert run(["show", "ada-lovelace", "row-sum"]) == 0
    assert run([*ERASE, "--yes"]) == 0
    assert run(["show", "ada-lovelace", "row-sum"]) == 2
    assert run([*ERASE, "--yes"]) == 2


def test_the_audit_list_keeps_that_and_not_whose(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ERASE, "--yes"]) == 0
    capsys.readouterr()
    assert run(["decisions"]) == 0
    shown = capsys.readouterr().out
    assert "Grace" in shown
    assert "asked" in shown
    assert "ada-lovelace" not in shown


def test_no_byte_of_an_erased_person_is_left_in_use() -> None:
    assert run([*ERASE, "--yes"]) == 0
    assert run(["backup", "all.backup"]) == 0
    with zipfile.ZipFile("all.backup") as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    assert not any(b"ada-lovelace" in data for data in content.values())
    assert b"bob-kahn" in content["people.jsonl"]


def test_one_lab_of_a_person_is_erased() -> None:
    store = open_store(load(Path.cwd()))
    put_score(store, submission("ada-lovelace", "matmul"))
    store.close()
    assert run([*ERASE[:3], "matmul", *ERASE[3:], "--yes"]) == 0
    assert run(["show", "ada-lovelace", "row-sum"]) == 0
    assert run(["show", "ada-lovelace", "matmul"]) == 2
