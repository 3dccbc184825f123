"""``grader leaderboard``: from the store to the terminal and to the published files."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.judge.speed import samples
from grader.judge.speed import speedup as fastness
from grader.model.reason import as_written
from grader.model.report import Report
from grader.model.run import TimedComparison, TimedPair
from grader.model.verdict import Verdict
from grader.store.sql_store import open_store
from tests.report.examples import kernel, report, speedup
from tests.store.examples import put_score, submission

PUBLISH = ["leaderboard", "--json", "board.json", "--html", "board.html"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@dataclass(frozen=True)
class Stored:
    """A report to store, and the version of the lab's code."""

    report: Report
    version: str = "new"


def _graded(student: str, value: float, *, version: str = "new") -> Stored:
    return Stored(report(student, "row-sum", kernel("row_sum", fast=speedup(value))), version)


def _kept(records: Sequence[Stored]) -> None:
    store = open_store(load())
    for number, each in enumerate(records):
        work = submission(each.report.student, text=str(number))
        put_score(store, work, each.report, lab_code=each.version)
    store.close()


def _names(text: str) -> None:
    Path("names.toml").write_text(f"[students]\n{text}\n", encoding="utf-8")
    Path("grader.toml").write_text('[leaderboard]\nnames = "names.toml"\n', encoding="utf-8")


def test_the_best_submission_counts_and_not_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    _kept([_graded("student-01", 7.0), _graded("student-01", 2.0), _graded("student-02", 5.0)])
    assert run(PUBLISH) == 0
    (board,) = json.loads(Path("board.json").read_text("utf-8"))["boards"]
    assert [(e["rank"], e["student"], e["speedup"]["value"]) for e in board["entries"]] == [
        (1, "student-01", 7.0),
        (2, "student-02", 5.0),
    ]
    assert "left out" not in capsys.readouterr().err


def test_it_is_said_which_files_were_written(capsys: pytest.CaptureFixture[str]) -> None:
    _kept([_graded("student-01", 7.0)])
    assert run(["leaderboard"]) == 0
    assert "Written" not in capsys.readouterr().err
    assert run(PUBLISH) == 0
    assert capsys.readouterr().err == "Written: board.json\nWritten: board.html\n"


def test_reports_of_an_older_lab_are_left_out_and_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _kept([_graded("student-01", 9.0, version="old"), _graded("student-02", 5.0)])
    assert run(["leaderboard", "row-sum"]) == 0
    shown = capsys.readouterr()
    assert "student-01" not in shown.out
    assert "student-02" in shown.out
    assert "graded before its lab changed is left out" in " ".join(shown.err.split())


def test_the_terminal_has_both_names_and_files_the_nickname(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _kept([_graded("student-01", 7.0), _graded("student-02", 5.0)])
    _names('student-01 = "Zaphod"\nstudent-02 = false')
    assert run(PUBLISH) == 0
    shown = capsys.readouterr().out
    lines = [line.split() for line in shown.splitlines()]
    assert ["rank", "student", "public", "name", "speedup", "kernel"] in lines
    assert ["1", "student-01", "Zaphod", "7.00×", "modelled", "row_sum"] in lines
    assert ["2", "student-02", "someone", "5.00×", "modelled", "row_sum"] in lines
    for file in ("board.json", "board.html"):
        text = Path(file).read_text("utf-8")
        assert "Zaphod" in text
        assert "student-01" not in text
        assert "student-02" not in text


def test_a_nickname_equal_to_a_students_name_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _kept([_graded("student-01", 7.0), _graded("student-02", 5.0)])
    _names('student-01 = "Student-02"')
    assert run(PUBLISH) == 2
    assert "names.toml: the nickname of student-01 is the name of student-02" in capsys.readouterr().err
    assert not Path("board.json").exists()
    assert not Path("board.html").exists()


def test_only_staff_sees_a_suspicious_submission(
    capsys: pytest.CaptureFixture[str],
) -> None:
    odd = _graded("student-99", 99.0)
    why = "faster than memory can be read"
    reason = as_written(why)
    kernels = (replace(odd.report.kernels[0], verdict=Verdict.SUSPICIOUS, reason=reason),)
    odd = Stored(replace(odd.report, verdict=Verdict.SUSPICIOUS, reason=reason, kernels=kernels))
    _kept([odd, _graded("student-02", 5.0)])
    assert run(PUBLISH) == 0
    shown = capsys.readouterr().out
    assert "awaiting review" in shown
    assert why in shown
    for file in ("board.json", "board.html"):
        text = Path(file).read_text("utf-8")
        assert "student-02" in text
        assert "student-99" not in text
        assert why not in text


def test_a_speedup_without_its_samples_does_not_verify(capsys: pytest.CaptureFixture[str]) -> None:
    _kept([_graded("student-01", 7.0)])
    assert run(["leaderboard", "--verify"]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "0 of 1 stored speedups match" in shown
    assert "no samples" in shown


def test_a_speedup_with_its_samples_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = TimedComparison(pairs=(TimedPair(baseline=3.0, submission=1.0),), modelled=True)
    made = _graded("student-01", 7.0)
    timed = replace(
        made.report.kernels[0],
        speedup=fastness(comparison, "global"),
        timings=(samples(comparison, "global"),),
    )
    _kept([Stored(replace(made.report, kernels=(timed,)))])
    assert run(["leaderboard", "--verify"]) == 0
    assert "1 of 1 stored speedups match" in " ".join(capsys.readouterr().out.split())
