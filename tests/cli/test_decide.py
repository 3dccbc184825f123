"""Extensions, comments at lines, requests and answers: what people read, and what outlives a regrade."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.cli.console import out
from grader.config import load
from grader.store.people import Person
from grader.store.sql_store import open_store

FILE = Path("class", "transpose", "ada.cu")
WHY = ["--because", "ill", "--by", "Grace"]


@pytest.fixture(autouse=True)
def _graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 200)
    Path("grader.toml").write_text('[results.comments]\nhandout = "See page 3."\n', encoding="utf-8")
    FILE.parent.mkdir(parents=True)
    FILE.write_text("no C\nat all", encoding="utf-8")
    grade()


def grade(*options: str) -> None:
    assert run(["grade", "class", "--engine", "emulator", "--trust-submissions", *options]) == 0


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(list(arguments)) == 0
    captured = capsys.readouterr()
    return " ".join((captured.out + captured.err).split())


def comments() -> list[dict[str, Any]]:
    (report,) = json.loads(Path("results", "results.json").read_bytes())["reports"]
    return [each for each in report["diagnostics"] if each["kind"] == "comment by staff"]


def test_a_comment_stands_at_its_line_and_survives_a_regrade(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["comment", "ada", "transpose", "ada.cu:2", "Where is the kernel?"]) == 0
    assert run(["comment", "ada", "transpose", "1", "--named", "handout"]) == 0
    grade("--fresh")
    assert [(each["file"], each["line"]) for each in comments()] == [("ada.cu", 2), ("ada.cu", 1)]
    for audience in ("student", "staff"):
        shown = output(capsys, "show", "ada", "transpose", "--as", audience)
        assert "Where is the kernel?" in shown
        assert "See page 3." in shown
    assert run(["feedback", "--out", "out"]) == 0
    for suffix in ("html", "txt"):
        assert "Where is the kernel?" in Path("out", f"ada.{suffix}").read_text("utf-8")


def test_a_withdrawn_comment_and_one_of_former_work_are_gone() -> None:
    assert run(["comment", "ada", "transpose", "ada.cu:1", "One"]) == 0
    assert run(["comment", "ada", "transpose", "ada.cu:2", "Two"]) == 0
    assert run(["comment", "ada", "transpose", "ada.cu:2", "--withdraw"]) == 0
    grade()
    assert [each["line"] for each in comments()] == [1]
    FILE.write_text("other work", encoding="utf-8")
    grade()
    assert comments() == []


@pytest.mark.parametrize("location", ["ada.cu:3", "ada.cu:0", "bob.cu:1", "ada.cu", "ada.cu:x"])
def test_a_comment_needs_a_line_of_the_submission(location: str) -> None:
    assert run(["comment", "ada", "transpose", location, "text"]) == 2


def test_an_unknown_reusable_comment_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["comment", "ada", "transpose", "1", "--named", "nothing"]) == 2
    assert "handout" in capsys.readouterr().err


def test_a_request_waits_until_it_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["request", "ada", "transpose", "It compiles here."]) == 0
    assert run(["request", "ada", "transpose", "Again."]) == 2
    assert "It compiles here." in output(capsys, "request")
    assert run(["answer", "ada", "transpose", "--decline", "--because", "It does not.", "--by", "Grace"]) == 0
    assert "It compiles here." not in output(capsys, "request")
    assert "It does not." in output(capsys, "show", "ada", "transpose", "--as", "student")
    assert run(["answer", "ada", "transpose", "--accept", "--because", "Sorry."]) == 2


def test_an_extension_is_one_of_until_days_and_withdraw() -> None:
    extend = ["extend", "ada", "transpose", *WHY]
    assert run([*extend, "--days", "2"]) == 0
    assert run([*extend, "--until", "2026-06-18"]) == 0
    assert run([*extend, "--withdraw"]) == 0
    assert run(extend) == 2
    assert run([*extend, "--days", "2", "--withdraw"]) == 2
    assert run([*extend, "--until", "Thursday"]) == 2


def test_every_decision_is_in_the_list_with_who_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["extend", "ada", "transpose", "--days", "2", *WHY]) == 0
    assert run(["comment", "ada", "transpose", "ada.cu:2", "Two", "--by", "Linus"]) == 0
    assert run(["request", "ada", "transpose", "Why?"]) == 0
    shown = output(capsys, "decisions")
    for part in ("Grace", "ill", "2 days", "Linus", "ada.cu:2", "Why?"):
        assert part in shown


def test_an_override_of_former_work_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["override", "ada", "transpose", "--points", "12.5", *WHY]) == 0
    FILE.write_text("other work", encoding="utf-8")
    capsys.readouterr()
    grade()
    assert "12.5 points" in capsys.readouterr().err
    assert "12.5 points" in output(capsys, "show", "ada", "transpose")
    assert "12.5 points" not in output(capsys, "show", "ada", "transpose", "--as", "student")
    assert "former" in output(capsys, "decisions")


def test_a_group_s_extension_is_one_of_each_member(capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load())
    members = {"ada": ("team 1",), "bob": ("team 1", "team 2"), "cyd": ()}
    store.people.put_all([Person(id=name, groups=groups) for name, groups in members.items()])
    store.close()
    assert run(["extend", "group:team 1", "transpose", "--days", "2", *WHY]) == 0
    assert [name for name in members if name in output(capsys, "decisions")] == ["ada", "bob"]
    assert run(["extend", "label:team 1", "transpose", "--days", "2", *WHY]) == 2


@pytest.mark.parametrize(
    "command", [["extend", "bob", "transpose", "--days", "2"], ["excuse", "bob", "transpose"]]
)
def test_a_typing_error_makes_no_student(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    store = open_store(load())
    store.people.put_all([Person(id="bo", name="Bo")])
    store.close()
    assert run([*command, *WHY]) == 2
    assert "Did you mean bo?" in capsys.readouterr().err
    assert "bob" not in output(capsys, "gradebook")
    # Ada is not in the roster either, and has submitted.
    assert run([command[0], "ada", *command[2:], *WHY]) == 0
    assert run([command[0], "bob", "transpose", "--withdraw", *WHY]) == 0
