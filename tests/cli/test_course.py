"""``grader course``: what it prints, and its exit codes."""

from pathlib import Path

import pytest

from grader.cli.app import run


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_course_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["course", "new", "--lab", "row-sum", "--lab", "matmul"]) == 0
    assert run(["course", "check"]) == 0
    shown = capsys.readouterr()
    assert "row-sum" in shown.out
    assert "course.toml is valid: 2 labs" in shown.err


def test_each_mistake_is_a_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("course.toml").write_text("[course]\ntitle = 5\n[labs.row-sun]\n", encoding="utf-8")
    assert run(["course", "check"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in lines] == [" course.toml line 2", " course.toml line 3"]


def test_the_sentence_is_in_the_language_of_the_course(capsys: pytest.CaptureFixture[str]) -> None:
    text = '[course]\nlanguage = "ru"\n[labs.row-sum]\ndue = "2026-06-18 23:59"\n'
    Path("course.toml").write_text(text, encoding="utf-8")
    assert run(["course", "check", "ada", "row-sum", "--at", "2026-06-18"]) == 0
    assert capsys.readouterr().out.strip() == "Закрыта: чт, 18 июн., 23:59"
    assert run(["course", "check", "ada"]) == 2


def test_a_dry_run_stores_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("people.csv").write_text("id,name\n0042,Ada\n", encoding="utf-8")
    assert run(["course", "roster", "people.csv", "--dry-run"]) == 0
    assert "0042" in capsys.readouterr().out
    assert run(["course", "roster"]) == 0
    assert "0 students" in capsys.readouterr().err
    assert run(["course", "roster", "people.csv"]) == 0
    assert run(["course", "roster"]) == 0
    shown = capsys.readouterr()
    assert "0042" in shown.out
    assert "1 student" in shown.err


def test_who_left_the_list_stays_and_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("id,name\n0042,Ada\n", "id,name\n0043,Bo\n"):
        Path("people.csv").write_text(text, encoding="utf-8")
        assert run(["course", "roster", "people.csv"]) == 0
    assert "0042" in capsys.readouterr().err
