"""A regrade as a set: nothing counts before it is applied, and what is killed goes on."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.console import out
from grader.config import load
from grader.store.people import Person
from grader.store.sql_store import open_store
from tests.course.regrade_course import MANIFEST, RIGHT, WRONG, grade, set_up, write, write_config

WHY = ["--because", "new points", "--by", "Grace"]
RUN = ["regrade", "run", "--trust-submissions"]

_KILLED_AFTER_ONE = """
import os, signal
from grader.cli.app import main
from grader.course import sharing
from grader.store.regrades import SqlRegrades
sharing.LEASE_SECONDS = 1.0
propose = SqlRegrades.propose
SqlRegrades.propose = lambda *what: propose(*what) and os.kill(os.getpid(), signal.SIGKILL)
main()
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course that was graded into its SQLite file."""
    folder = tmp_path_factory.mktemp("graded")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        set_up(folder, "")
    return folder


@pytest.fixture(autouse=True)
def database(
    request: pytest.FixtureRequest,
    graded: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(out, "_width", 200)
    url: str = request.getfixturevalue(getattr(request, "param", "sqlite_url"))
    if url.startswith("sqlite"):
        shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
        write_config(url)
    else:
        set_up(tmp_path, url)
    capsys.readouterr()
    return url


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command, and what it says in one line."""

    def output(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        assert run(list(arguments)) == code
        captured = capsys.readouterr()
        return " ".join((captured.out + captured.err).split())

    return output


def counting() -> dict[str, float]:
    """The points that count now."""
    store = open_store(load(Path.cwd()))
    try:
        return {score.key.student: score.score for score in store.scores.latest_all()}
    finally:
        store.close()


def attempts() -> int:
    """How many attempts there are, of which each costs a token and may cost late days."""
    store = open_store(load(Path.cwd()))
    try:
        return len(store.attempts.list())
    finally:
        store.close()


def changed_cases() -> None:
    """The lab's code changes, so that stored facts do not do."""
    text = MANIFEST.read_text("utf-8")
    MANIFEST.write_text(text.replace("n = 100", "n = 101", 1), encoding="utf-8")
    assert MANIFEST.read_text("utf-8") != text


@pytest.mark.parametrize("database", ["sqlite_url", "postgresql_url"], indirect=True)
def test_new_points_count_after_they_are_applied(database: str, said: Callable[..., str]) -> None:
    assert counting() == {"ada": 100, "bob": 0, "cyd": 100}
    spent = attempts()
    write_config(database, 60)
    said("regrade", "new", *WHY)
    said(*RUN)
    assert counting() == {"ada": 100, "bob": 0, "cyd": 100}
    shown = said("regrade", "preview", "--boundary", "90")
    assert counting() == {"ada": 100, "bob": 0, "cyd": 100}
    assert "ada" in shown
    said("regrade", "apply", "--by", "Grace")
    after = counting()
    assert after["ada"] == after["cyd"] != 100
    assert f"{after['ada']:g}" in shown
    assert attempts() == spent == 3
    assert "Grace" in said("decisions")


def test_a_set_is_made_once_and_has_its_filter(said: Callable[..., str]) -> None:
    store = open_store(load(Path.cwd()))
    store.people.put_all([Person(id="ada", section="A"), Person(id="bob", section="B")])
    store.close()
    first = said("regrade", "new", "--section", "A", *WHY)
    assert said("regrade", "new", "--section", "A", *WHY) != first
    assert said("regrade").count("new points") == 1
    assert "1" in said("regrade", "new", *WHY, code=2)
    said("regrade", "discard")
    said("regrade", "new", "--verdict", "wrong", *WHY)
    assert "1 row waiting" in said("regrade", "preview")
    said("regrade", "discard")
    said("regrade", "new", "--finding", "heap", *WHY, code=2)
    said("regrade", "new", "--only", "failed", *WHY)


def test_a_changed_lab_is_graded_again_and_rows_are_applied_one_by_one(said: Callable[..., str]) -> None:
    changed_cases()
    said("regrade", "new", *WHY)
    said(*RUN)
    said("regrade", "apply", "--row", "ada")
    said("regrade", "discard", "--row", "bob")
    said("regrade", "apply", "--row", "nobody", code=2)
    said("regrade", "apply")
    said("regrade", "apply", "1")
    said("regrade", "apply", code=2)
    listed = said("decisions")
    assert [listed.count(f" {name} ") for name in ("ada", "bob", "cyd")] == [1, 1, 1]


def test_newer_work_counts_whatever_a_regrade_found(said: Callable[..., str]) -> None:
    changed_cases()
    said("regrade", "new", "--student", "bob", *WHY)
    said(*RUN)
    write("bob", RIGHT + "// second try")
    grade()
    assert counting()["bob"] == 100
    said("regrade", "apply")
    assert counting()["bob"] == 100


def test_an_override_stays_whatever_a_regrade_applies(database: str, said: Callable[..., str]) -> None:
    said("override", "bob", "scale", "--points", "12", *WHY)
    write_config(database, 60)
    said("regrade", "new", "--student", "bob", *WHY)
    said(*RUN)
    said("regrade", "apply")
    grade()
    report = json.loads(Path("results", "results.json").read_bytes())["reports"]
    assert [each["score"] for each in report if each["student"] == "bob"] == [12]


def test_a_run_that_is_killed_goes_on(said: Callable[..., str]) -> None:
    changed_cases()
    said("regrade", "new", *WHY)
    killed = subprocess.run([sys.executable, "-c", _KILLED_AFTER_ONE, *RUN], check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL
    assert "1 row proposed" in said("regrade")
    assert "2 graded" in said(*RUN)
    assert "0 graded" in said(*RUN, "1")
    assert counting() == {"ada": 100, "bob": 0, "cyd": 100}


def test_a_failure_of_the_grader_waits_and_costs_nothing(
    said: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed_cases()
    said("regrade", "new", "--student", "ada", *WHY)
    with monkeypatch.context() as patched:
        patched.setattr("grader.grading.batch.collect_facts", lambda *_: 1 / 0)
        said(*RUN, code=1)
    said("regrade", "apply")
    assert counting()["ada"] == 100
    assert "1 graded" in said(*RUN)


def test_wrong_work_stays_wrong(said: Callable[..., str]) -> None:
    assert WRONG != RIGHT
    said("regrade", "new", "--student", "bob", "--fresh", *WHY)
    assert "1 graded" in said(*RUN)
    said("regrade", "apply")
    assert counting()["bob"] == 0
