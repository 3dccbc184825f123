"""Pairs of programs that are timed end to end. These compute on the processor; ``tests/gpu`` has the same on a GPU."""

from collections.abc import Callable

import numpy as np
import pytest

from grader.errors import InfrastructureError, LabError
from grader.grading.programs.timing import Arrays, ProgramTimes, TimedPrograms, time_program
from grader.judge.speed import speedup
from grader.model.reason import Reason, reason
from grader.model.verdict import Verdict
from grader.programs.timed.program import Parameter
from grader.sandbox.program_start import unconfined
from tests.programs.timed.judged import PARAMS, built

N = 1 << 16


def draw() -> Arrays:
    """New inputs."""
    return {"x": np.random.default_rng().integers(0, 1000, N, np.int32)}


def wrong(inputs: Arrays, outputs: Arrays) -> Reason | None:
    """What is wrong with a sum."""
    if int(outputs["sum"][0]) == int(inputs["x"].sum()):
        return None
    return reason("wrong-while-timed", count=1, size=1, buffer="sum")


def timed(
    submission: str,
    reference: str = "honest",
    floor: str = "honest",
    check: Callable[[Arrays, Arrays], Reason | None] = wrong,
) -> ProgramTimes:
    """``submission`` against ``reference``."""
    x, n, total = PARAMS
    programs = TimedPrograms(
        reference=built(reference),
        submission=built(submission),
        floor=built(floor),
        parameters=(Parameter(param=x, size=N), Parameter(param=n, number=N), Parameter(param=total)),
        draw=draw,
        wrong=check,
        device="a GPU",
        uuid="",
    )
    return time_program(programs, unconfined, (), answer_seconds=2.0, most_seconds=2.0)


def test_a_slower_program_is_slower_by_the_judges_clock() -> None:
    times = timed("slow_clocks")
    assert times.comparison.fault is None
    assert not times.comparison.modelled
    assert speedup(times.comparison, "honest").value < 0.7


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("cached", Verdict.WRONG, "wrong-while-timed"),
        ("works_before", Verdict.WRONG, "wrong-while-timed"),
        ("answers_twice", Verdict.CRASHED, "timed-answer-unknown"),
        ("leaves", Verdict.CRASHED, "timed-program-left"),
    ],
)
def test_one_answer_that_does_not_count_ends_the_comparison(name: str, verdict: Verdict, code: str) -> None:
    fault = timed(name).comparison.fault
    assert fault is not None
    assert (fault.verdict, fault.reason.code) == (verdict, code)


def test_a_reference_that_fails_is_no_fault_of_the_submission() -> None:
    with pytest.raises(InfrastructureError, match="reference"):
        timed("honest", reference="forged")


def test_a_program_faster_than_its_bytes_move_is_flagged() -> None:
    assert [each.code for each in timed("honest", floor="slow_clocks").flags] == ["faster-than-bus"]


def test_no_flag_without_a_cause() -> None:
    assert timed("slow_clocks").flags == ()


def test_a_lab_that_accepts_answers_to_other_inputs_is_refused() -> None:
    with pytest.raises(LabError, match="other inputs"):
        timed("honest", check=lambda _inputs, _outputs: None)
