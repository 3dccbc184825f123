"""Commands against a real server: log in, submit, watch, through kills of the server."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import pytest

from grader.api.attempts import Attempt
from grader.cli.app import USER_ERROR, run
from grader.client import credentials
from grader.client.connection import Connection
from grader.client.credentials import Login
from grader.client.pending import PendingSubmission
from grader.course.accounts import device_links, tokens
from grader.course.records import Records
from grader.course.withdraw import withdraw
from grader.store.attempts import RecordedAttempt
from tests.client.course_server import ADA, BOB, RIGHT, CourseServer

# A test run started in the background ignores SIGINT, and its children inherit this.
signal.signal(signal.SIGINT, signal.default_int_handler)

WRONG = RIGHT.replace("* 2", "* 3")


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CourseServer]:
    server = CourseServer(tmp_path_factory.mktemp("course"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def server(started: CourseServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> CourseServer:
    """The server; the user of the test works in a folder of their own."""
    monkeypatch.chdir(home)
    return started


def attempts(server: CourseServer, person: str) -> tuple[RecordedAttempt, ...]:
    with Records(server.workspace) as records:
        return records.store.attempts.recorded(person)


def in_background(*arguments: str) -> tuple[threading.Thread, list[int]]:
    """A command that runs beside the test, and where its exit code comes."""
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(run(list(arguments))), daemon=True)
    thread.start()
    return thread, codes


def until(found: Callable[[], bool]) -> None:
    """Wait until ``found``; a machine that is busy takes its time."""
    ends = time.monotonic() + 60
    while not found():
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_a_submission_outlives_the_server_and_is_made_once(
    server: CourseServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.log_in(ADA)
    Path("scale.py").write_text(WRONG, encoding="utf-8")
    server.kill()
    thread, codes = in_background("submit", "scale.py")
    server.start()
    until(lambda: bool(attempts(server, ADA)))
    server.kill()
    server.start()
    server.grade()
    thread.join(60)
    assert codes == [3]
    shown = capsys.readouterr()
    assert "does not answer" in shown.err
    assert "wrong" in shown.out
    (attempt,) = attempts(server, ADA)
    assert run(["status", str(attempt.id)]) == 3
    assert capsys.readouterr().out == shown.out
    assert run(["status"]) == 0
    assert "scale" in capsys.readouterr().out
    assert run(["board", "scale"]) == 0


def test_an_answer_that_is_lost_costs_no_attempt(server: CourseServer) -> None:
    login = server.log_in(BOB)
    files = {"scale.py": RIGHT.encode()}
    key = PendingSubmission(login, "scale", files).key()
    first = Connection(login.server, login.token).post_files(
        "/attempts", {"lab": "scale"}, files, key, Attempt
    )
    Path("scale.py").write_text(RIGHT, encoding="utf-8")
    assert run(["submit", "scale.py", "--no-wait"]) == 0
    assert [each.id for each in attempts(server, BOB)] == [first.id]
    withdraw(server.workspace, first.id)
    assert run(["submit", "scale.py", "--no-wait"]) == 0
    assert len(attempts(server, BOB)) == 2


def test_ctrl_c_leaves_the_attempt_and_says_how_to_go_on(server: CourseServer) -> None:
    server.log_in(BOB)
    before = len(attempts(server, BOB))
    Path("scale.py").write_text(RIGHT + "# again\n", encoding="utf-8")
    command = [sys.executable, "-m", "grader.cli", "submit", "scale.py"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as submitting:
        assert submitting.stderr is not None
        submitting.stderr.readline()
        time.sleep(2)  # the line is written before the watching begins
        submitting.send_signal(signal.SIGINT)
        said = submitting.stderr.read()
    assert submitting.returncode == 130
    newest = attempts(server, BOB)[-1]
    assert len(attempts(server, BOB)) == before + 1
    assert f"grader status {newest.id} --watch" in said
    thread, codes = in_background("status", str(newest.id), "--watch")
    withdraw(server.workspace, newest.id)
    thread.join(60)
    assert codes == [1]


def test_a_code_that_is_confirmed_logs_in(server: CourseServer, capsys: pytest.CaptureFixture[str]) -> None:
    thread, codes = in_background("login", server.address)
    said: list[str] = []

    def code() -> str:
        said.append(capsys.readouterr().err)
        return next(iter(re.findall(r"\b[A-Z]{4}-[A-Z]{4}\b", "".join(said))), "")

    until(lambda: bool(code()))
    device_links.decide(server.workspace, ADA, code(), accepted=True)
    thread.join(60)
    assert codes == [0]
    login = credentials.load()
    assert (login.server, login.person) == (server.address, ADA)
    assert run(["status"]) == 0
    assert run(["logout"]) == 0
    assert tokens.find(server.workspace, login.token) is None
    assert run(["status"]) == USER_ERROR


def test_a_token_from_a_file_logs_in(server: CourseServer, capsys: pytest.CaptureFixture[str]) -> None:
    secret = server.token(BOB)
    Path("token").write_text(f"{secret}\n", encoding="ascii")
    assert run(["login", server.address, "--token", "token"]) == 0
    assert credentials.load() == Login(server=server.address, token=secret, person=BOB)
    assert secret not in capsys.readouterr().err
    Path("token").write_text("gr_wrong", encoding="ascii")
    assert run(["login", server.address, "--token", "token"]) == USER_ERROR
    assert credentials.load().token == secret


def test_what_the_server_refuses_is_one_line(
    server: CourseServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.log_in(BOB)
    Path("scale.txt").write_text("x", encoding="utf-8")
    for arguments in (
        ["submit", "scale.txt", "--no-wait"],
        ["submit", "scale.txt", "--lab", "none"],
        ["status", "999"],
        ["board", "none"],
    ):
        assert run(arguments) == USER_ERROR
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.count("grader: ") == 1
        assert "Traceback" not in said.err
    assert list((platformdirs.user_state_path("grader") / "pending").iterdir()) == []
