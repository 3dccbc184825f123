"""Programs that try to gain from the way they are timed: each is wrong, refused, or no faster than its work."""

import shutil
from pathlib import Path

import psutil
import pytest

from grader.sandbox.program_start import Confined
from tests.programs.timed.judged import ATTACKS, judged

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

WRONG = (
    *("forged", "cached", "works_before", "answers_late", "shrinks_memory"),
    *("rewrites_inputs", "patched_runtime", "own_main"),
)
REFUSED = {
    "answers_twice": "timed-answer-unknown",
    "answers_unasked": "timed-answer-early",
    "lying_nonce": "timed-answer-unknown",
    "long_answer": "timed-answer-unknown",
    "endless": "timed-answer-late",
    "leaves": "timed-program-left",
}
HONESTLY_SLOW = ("slow_clocks", "preloads")
ELSEWHERE = {"honest", "leaves_a_daemon", "seeks_others"}
"""Programs that have tests of their own."""


def test_an_honest_program_is_right_each_time() -> None:
    outcomes = judged("honest")
    assert [each.is_right for each in outcomes] == [True] * 4
    assert all(0 < each.seconds < 1 for each in outcomes)


@pytest.mark.parametrize("name", WRONG)
def test_answers_to_other_inputs_are_wrong(name: str) -> None:
    outcomes = judged(name)
    assert len(outcomes) == 4
    assert not all(each.is_right for each in outcomes)  # one wrong answer ends a comparison


@pytest.mark.parametrize("name", REFUSED)
def test_messages_that_answer_no_question_are_refused(name: str) -> None:
    outcomes = judged(name)
    assert outcomes[-1].refused == REFUSED[name]
    assert len(outcomes) <= 2


@pytest.mark.parametrize("name", HONESTLY_SLOW)
def test_the_clock_is_not_the_programs(name: str) -> None:
    outcomes = judged(name)
    assert all(each.is_right for each in outcomes)
    assert all(each.seconds > 0.03 for each in outcomes)


@needs_bubblewrap
def test_no_process_stays_behind(tmp_path: Path) -> None:
    assert judged("leaves_a_daemon", Confined(tmp_path))[-1].is_right
    left = [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", "86399"]]
    assert left == []


@needs_bubblewrap
def test_memory_of_other_programs_is_out_of_reach(tmp_path: Path) -> None:
    assert {each.answer for each in judged("seeks_others", Confined(tmp_path))} == {1000}


def test_every_program_of_the_folder_is_tried() -> None:
    tried = {*WRONG, *REFUSED, *HONESTLY_SLOW, *ELSEWHERE}
    assert tried == {path.stem for path in ATTACKS.iterdir()}
