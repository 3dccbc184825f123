"""``grader review``: from a suspicious submission through a decision to the leaderboards."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.config import load
from grader.logs import Event
from grader.model.reason import as_written
from grader.model.report import Part, Report, Withheld
from grader.model.verdict import Verdict
from grader.store.sql_store import open_store
from tests.report.examples import case, kernel, report, speedup
from tests.store.examples import put_score, submission
from tools.log_lines import of_event

FLAG_REASON = "1.71 times faster than H200 can read its inputs"
CLEAR = ["review", "student-01", "row-sum", "--clear", "--because", "profiled it", "--by", "Ada"]
CONFIRM = ["review", "student-01", "row-sum", "--confirm", "--because", "it reads nothing", "--by", "Ada"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _odd() -> Report:
    odd = kernel("row_sum", Verdict.SUSPICIOUS, FLAG_REASON, cases=(case("odd"),), fast=speedup(99.0))
    part = Part(
        name="speed",
        score=0,
        max_score=10,
        reason=as_written(f"withheld until staff review: {FLAG_REASON}"),
        withheld=Withheld(score=10, reason=as_written("99.00×; all 10 points")),
    )
    return report(
        "student-01",
        "row-sum",
        replace(odd, suspicion=as_written(FLAG_REASON)),
        score=0,
        parts=(part,),
        reason=FLAG_REASON,
    )


def _kept(report: Report, text: str = "kernel") -> None:
    store = open_store(load())
    put_score(store, submission("student-01", text=text), report)
    store.close()


def _board() -> list[dict[str, object]]:
    if run(["leaderboard", "--json", "board.json"]) == 2:
        return []  # nothing is ranked
    boards = json.loads(Path("board.json").read_text("utf-8"))["boards"]
    return [entry for board in boards for entry in board["entries"]]


def _said(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    return " ".join((captured.out + captured.err).split())


def test_what_waits_is_listed_with_what_is_odd_about_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review"]) == 0
    assert "No submission waits for review." in _said(capsys)
    _kept(_odd())
    assert run(["review"]) == 0
    listed = _said(capsys)
    assert "student-01" in listed
    assert FLAG_REASON in listed


def test_a_cleared_result_counts_and_names_the_reviewer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _kept(_odd())
    assert _board() == []
    assert run(CLEAR) == 0
    (entry,) = _board()
    assert (entry["rank"], entry["student"]) == (1, "student-01")
    capsys.readouterr()
    assert run(["show", "student-01", "row-sum"]) == 0
    shown = _said(capsys)
    assert "accepted 10 of 100 points" in shown
    assert "cleared by Ada on" in shown
    assert "profiled it" in shown


def test_what_is_confirmed_waits_no_longer_and_has_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    _kept(_odd())
    assert run(CONFIRM) == 0
    assert _board() == []
    capsys.readouterr()
    assert run(["review"]) == 0
    listed = _said(capsys)
    assert "No submission waits for review." in listed
    assert "confirmed by Ada on" in listed


def test_the_last_decision_counts_and_all_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    _kept(_odd())
    assert run(CLEAR) == 0
    assert run(CONFIRM) == 0
    assert _board() == []
    capsys.readouterr()
    assert run(["review", "student-01", "row-sum"]) == 0
    history = _said(capsys)
    assert history.index("profiled it") < history.index("it reads nothing")


def test_another_file_of_the_same_student_waits_for_review() -> None:
    _kept(_odd())
    assert run(CLEAR) == 0
    _kept(_odd(), "another")
    assert len(_board()) == 1
    assert run(CONFIRM) == 0
    (entry,) = _board()
    assert entry["student"] == "student-01"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ["review", "student-02", "row-sum", *CLEAR[3:]],
            "No submission of student-02 for row-sum is suspicious",
        ),
        (["review", "student-01", "no-such-lab", *CLEAR[3:]], "no-such-lab"),
        (["review", "student-01"], "The lab is missing"),
        (["review", "student-01", "row-sum", "--clear"], "A decision needs a reason."),
        (["review", "student-01", "row-sum", "--clear", "--because", "  "], "A decision needs a reason."),
        ([*CLEAR, "--confirm"], "--clear and --confirm exclude each other"),
    ],
)
def test_an_invalid_decision_is_one_line_and_changes_nothing(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _kept(_odd())
    assert run(arguments) == 2
    message = capsys.readouterr().err.strip()
    assert problem in " ".join(message.split())
    run(["review"])
    assert FLAG_REASON in _said(capsys)


def test_the_same_decision_twice_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    _kept(_odd())
    assert run(CLEAR) == 0
    assert run(CLEAR) == 2
    assert "stored already: " in _said(capsys)


def test_a_decision_leaves_a_line_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    _kept(_odd())
    assert run(["--log-level", "info", "--log-format", "json", *CLEAR]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    (decided,) = of_event(lines, Event.DECISION_STORED)
    assert (decided["student"], decided["lab"]) == ("student-01", "row-sum")
    assert (decided["decision"], decided["reviewer"], decided["reason"]) == ("cleared", "Ada", "profiled it")
