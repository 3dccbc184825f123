"""``grader lti``: register a course system, import its roster, send grades and compare them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.course.lti.client import lti_client
from grader.course.workspace import Workspace, open_workspace
from tests.course.lti_course import LAB, MEMBERS, connected, graded
from tests.store.examples import NOON
from tools.course_system import CourseSystem, running
from tools.course_system.services import Content

REGISTER = [
    *("lti", "register", "https://moodle.example.edu", "--client", "oZ4Kf2"),
    *("--login", "https://moodle.example.edu/auth", "--token", "https://moodle.example.edu/token"),
    *("--keys", "https://moodle.example.edu/certs"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[CourseSystem]:
    with running() as system:
        yield system


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    lti_client.cache_clear()
    return open_workspace()


@pytest.fixture
def system(server: CourseSystem, workspace: Workspace) -> CourseSystem:
    server.content = Content(members=list(map(dict, MEMBERS)))
    connected(workspace, server)
    return server


def test_a_registration_prints_the_addresses_to_enter(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lti", "list"]) == 0
    assert run([*REGISTER, "--deployment", "1"]) == 0
    shown = capsys.readouterr().out
    assert "http://127.0.0.1:8000/lti/launch" in shown
    assert "http://127.0.0.1:8000/lti/keys" in shown
    assert run([*REGISTER, "--deployment", "2", "--course", "course-9"]) == 0
    capsys.readouterr()
    assert run(["lti", "list"]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("oZ4Kf2", "1, 2", "course-9"))


def test_a_registration_needs_a_deployment_and_https(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(REGISTER) == 2
    assert "--deployment" in capsys.readouterr().err
    assert run([*REGISTER, "--deployment", "1", "--keys", "http://moodle.example.edu/certs"]) == 2


def test_public_keys_are_printed_and_no_private_part(capsys: pytest.CaptureFixture[str]) -> None:
    run([*REGISTER, "--deployment", "1"])
    capsys.readouterr()
    assert run(["lti", "keys", "--rotate"]) == 0
    keys = json.loads(capsys.readouterr().out)["keys"]
    assert len(keys) == 2
    assert not any({"d", "p", "q"} & key.keys() for key in keys)


@pytest.mark.usefixtures("system")
def test_the_roster_is_shown_before_it_is_imported(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lti", "roster", "--dry-run"]) == 0
    assert "Dare" in capsys.readouterr().out
    run(["course", "roster"])
    assert "Dare" not in capsys.readouterr().out
    assert run(["lti", "roster"]) == 0
    run(["course", "roster"])
    assert "Dare" in capsys.readouterr().out


def test_grades_are_sent_and_compared(
    workspace: Workspace, system: CourseSystem, capsys: pytest.CaptureFixture[str]
) -> None:
    graded(workspace, "ada", 75, NOON)
    assert run(["lti", "push"]) == 0
    assert system.content.shown(system.column(LAB), "7") == 75
    assert run(["lti", "push", "--compare"]) == 0
    system.content.scores[system.column(LAB), "7"][0]["scoreGiven"] = 99
    capsys.readouterr()
    assert run(["lti", "push", "--compare"]) == 1
    assert "99" in capsys.readouterr().out


def test_a_grade_that_fails_is_an_exit_code(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 75, NOON)
    run(["lti", "push"])
    graded(workspace, "ada", 80, NOON)
    system.content.is_down = True
    assert run(["lti", "push"]) == 1
    system.content.is_down = False
    assert run(["lti", "push", "--retry"]) == 0
    assert system.content.shown(system.column(LAB), "7") == 80


def test_a_course_that_is_not_connected_has_no_roster() -> None:
    assert run(["lti", "roster"]) == 2
    assert run(["lti", "push"]) == 0
