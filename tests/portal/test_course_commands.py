"""``grader course role`` and ``grader course invite``."""

import csv
import io
from pathlib import Path

import pytest

from grader.cli.app import USER_ERROR, run


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("id,name,email\n0042,Ada,ada@example.edu\n0043,Bo,\n", "utf-8")
    assert run(["course", "roster", "people.csv"]) == 0


def _links(shown: str) -> dict[str, str]:
    return {row["person"]: row["link"] for row in csv.DictReader(io.StringIO(shown))}


def test_students_and_staff_get_links_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["course", "role", "tim", "assistant", "--name", "Tim"]) == 0
    capsys.readouterr()
    assert run(["course", "invite", "--students"]) == 0
    students = _links(capsys.readouterr().out)
    assert run(["course", "invite", "--staff", "0042", "tim"]) == 0
    others = _links(capsys.readouterr().out)
    assert (set(students), set(others)) == ({"0042", "0043"}, {"0042", "tim"})
    assert len({*students.values(), *others.values()}) == 4
    assert all(link.startswith("http://127.0.0.1:8000/sign-in/link/") for link in students.values())


def test_strangers_and_the_disabled_get_no_link(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["course", "invite", "stranger"]) == USER_ERROR
    assert run(["course", "role", "0043", "--disable"]) == 0
    assert run(["course", "invite", "0043"]) == USER_ERROR
    capsys.readouterr()
    assert run(["course", "invite", "--students"]) == 0
    assert set(_links(capsys.readouterr().out)) == {"0042"}
    assert run(["course", "role", "0043", "student"]) == 0
    assert run(["course", "invite", "0043"]) == 0


def test_nobody_to_invite_and_no_role_are_refused() -> None:
    assert run(["course", "invite"]) == USER_ERROR
    assert run(["course", "role", "tim"]) == USER_ERROR
    assert run(["course", "role", "tim", "wizard"]) == USER_ERROR


def test_everybody_is_listed_with_their_role(capsys: pytest.CaptureFixture[str]) -> None:
    run(["course", "role", "tim", "instructor"])
    capsys.readouterr()
    assert run(["course", "role"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if "0042" in line or "tim" in line] == [
        "student",
        "instructor",
    ]
