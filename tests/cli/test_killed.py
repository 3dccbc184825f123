"""Killing ``grader grade`` or ``grader export`` at any step leaves nothing half, and the same command goes on."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.course.records import Records
from grader.course.workspace import open_workspace
from grader.store.people import IdSystem, Person, PersonId
from grader.store.sql_store import open_store
from tests.store.examples import fast_report, put_score, submission
from tools.paths import CHECKOUT

GRADE = ["grade", "class", "--engine", "emulator", "--trust-submissions"]
STUDENTS = ("ada", "bob", "cyd")

SCRIPT = """
import os, pathlib, signal
from grader.cli.app import run
from grader.course import sharing
from grader.store.facts import SqlFacts
from grader.store.scores import SqlScores
sharing.LEASE_SECONDS = 0.5
whole, calls = {port}.{method}, []
def killed(self, *arguments, **named):
    if {late}: whole(self, *arguments, **named)
    calls.append(1)
    if len(calls) == {call}: os.kill(os.getpid(), signal.SIGKILL)
    return whole(self, *arguments, **named)
{port}.{method} = killed
run({command})
"""


def kill(command: list[str], port: str, method: str, *, late: bool, call: int) -> None:
    """Run ``command`` until it has called, or is about to call, a method for the time ``call``."""
    script = SCRIPT.format(port=port, method=method, late=late, call=call, command=command)
    dead = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    assert dead.returncode == -signal.SIGKILL, dead.stderr.decode()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("port", "method"),
    [("SqlFacts", "put"), ("SqlScores", "put_all")],
    ids=["after the facts", "after the score"],
)
def test_a_killed_run_grades_each_submission_once(port: str, method: str) -> None:
    for student in STUDENTS:
        file = Path("class", "transpose", f"{student}.cu")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("no C at all", encoding="utf-8")
    kill(GRADE, port, method, late=True, call=2)
    assert not Path("results").exists()
    assert run(GRADE) == 0
    reports = json.loads(Path("results", "results.json").read_bytes())["reports"]
    assert [(each["student"], each["verdict"]) for each in reports] == [
        (student, "failed to build") for student in STUDENTS
    ]
    with Records(open_workspace()) as records:
        stored = Counter(score.key.student for score in records.store.scores.history())
        assert stored == Counter(STUDENTS)
        assert len(records.store.attempts.list()) == len(STUDENTS)


SHEET = 'Identifier,"Full name",Grade,"Maximum grade"\nParticipant 7,"Bo Example",{grade},100.00\n'
EXPORT = ["export", "moodle", "sheet.csv", "--lab", "row-sum", "--overwrite"]


@pytest.mark.parametrize("late", [False, True], ids=["before the new file", "after it"])
def test_a_killed_export_leaves_the_old_file_or_the_new(late: bool) -> None:  # noqa: FBT001 - a parameter
    store = open_store(load(Path.cwd()))
    work = submission("bo")
    put_score(store, work, fast_report(work, score=80))
    store.people.put_all([Person(id="bo", ids=(PersonId(system=IdSystem.MOODLE, value="7"),))])
    store.close()
    written = Path("sheet-graded.csv")
    Path("sheet.csv").write_text(SHEET.format(grade=""), encoding="utf-8")
    written.write_text(SHEET.format(grade="12"), encoding="utf-8")
    kill(EXPORT, "pathlib.Path", "replace", late=late, call=1)
    assert written.read_text("utf-8") == SHEET.format(grade="80" if late else "12")
    assert run(EXPORT) == 0
    assert written.read_text("utf-8") == SHEET.format(grade="80")
