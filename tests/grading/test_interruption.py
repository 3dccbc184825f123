"""A killed grader loses no finished report, and the next run resumes."""

import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from grader.config import load
from grader.report import results_json
from grader.store.sql_store import open_store
from tools.paths import CHECKOUT

SUBMITTED = ["student-01.cu", "student-11.cu", "student-12.cu", "student-14.cu", "student-16.cu"]
# A test run started in the background ignores SIGINT, and its children inherit this.
MAIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from grader.cli.app import main
main()
"""
GRADE = [sys.executable, "-c", MAIN, "grade", "submissions", "--trust-submissions"]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    folder = tmp_path / "submissions" / "transpose"
    folder.mkdir(parents=True)
    for name in SUBMITTED:
        shutil.copy(CHECKOUT / "submissions" / "transpose" / name, folder)
    (tmp_path / "grader.toml").write_text("[jobs]\ncount = 1\n", encoding="utf-8")
    return tmp_path


def finished(course: Path) -> dict[str, datetime]:
    """When each student's report was stored."""
    if not (course / ".grader").exists():
        return {}
    store = open_store(load(course))
    try:
        return {score.key.student: score.created_at for score in store.scores.latest_all()}
    finally:
        store.close()


def results(course: Path) -> dict[str, tuple[str, float]]:
    document = results_json.load((course / "results" / "results.json").read_bytes())
    return {report.student: (report.verdict, report.score) for report in document.reports}


@pytest.mark.parametrize(
    "how", [pytest.param(signal.SIGKILL, marks=pytest.mark.faults), signal.SIGINT, signal.SIGHUP]
)
def test_an_interrupted_run_is_gone_on_with(course: Path, how: signal.Signals) -> None:
    # A run of tests that ignores SIGHUP (nohup) would hand that down.
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with subprocess.Popen(GRADE, cwd=course, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as grader:
        signal.signal(signal.SIGHUP, hang_up)
        deadline = time.monotonic() + 900
        while len(finished(course)) < 2:
            assert time.monotonic() < deadline
            assert grader.poll() is None
            time.sleep(0.1)
        grader.send_signal(how)
        _, stderr = grader.communicate(timeout=900)
    assert b"Traceback" not in stderr
    before = finished(course)
    if how != signal.SIGKILL:
        assert grader.returncode == 128 + how
        assert f"{len(before)} graded, {len(SUBMITTED) - len(before)} left".encode() in stderr
        assert results(course).keys() == before.keys()
    else:
        assert not (course / "results").exists()

    again = subprocess.run(GRADE, cwd=course, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    after = finished(course)
    assert {student: after[student] for student in before} == before
    assert f"{len(before)} unchanged" in again.stderr
    interrupted = results(course)
    assert interrupted.keys() == after.keys()

    shutil.rmtree(course / ".grader")
    assert subprocess.run(GRADE, cwd=course, capture_output=True, check=False).returncode == 0
    assert results(course) == interrupted
