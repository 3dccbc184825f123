"""Stored speedups match their stored samples; a changed speedup is reported."""

from dataclasses import replace

from grader.judge.speed import samples, speedup
from grader.model.report import Report
from grader.model.run import TimedComparison, TimedPair
from grader.model.verdict import Verdict
from grader.report.verify_speedups import check_speedups
from tests.report.examples import kernel, report

PAIRS = tuple(TimedPair(baseline=4e-3 + i * 1e-5, submission=1e-3 + (i * 7 % 30) * 1e-6) for i in range(30))
COMPARISON = TimedComparison(pairs=PAIRS, modelled=False)
STORED = speedup(COMPARISON, "global")


def _report(**changes: object) -> Report:
    timed = replace(
        kernel("matmul", fast=STORED),
        timings=(samples(COMPARISON, "tiled"), samples(COMPARISON, "global")),
    )
    return report("student-01", "matmul", replace(timed, **changes))  # type: ignore[arg-type]


def _holds(graded: Report) -> list[bool]:
    return [check.matches for check in check_speedups([graded])]


def test_samples_give_the_stored_speedup_and_interval_again() -> None:
    assert STORED.low < STORED.value < STORED.high
    assert _holds(_report()) == [True]


def test_a_changed_speedup_is_reported() -> None:
    assert _holds(_report(speedup=replace(STORED, value=STORED.value * 1.001))) == [False]
    assert _holds(_report(speedup=replace(STORED, high=STORED.high + 1))) == [False]


def test_a_changed_sample_is_reported() -> None:
    faster = tuple(replace(pair, submission=pair.submission / 2) for pair in PAIRS)
    forged = samples(replace(COMPARISON, pairs=faster), "global")
    assert _holds(_report(timings=(forged,))) == [False]


def test_a_speedup_without_baseline_samples_is_reported() -> None:
    assert _holds(_report(timings=())) == [False]
    assert _holds(_report(timings=(samples(COMPARISON, "tiled"),))) == [False]


def test_entries_without_a_rank_are_not_checked() -> None:
    assert _holds(replace(_report(timings=()), verdict=Verdict.SUSPICIOUS)) == []
