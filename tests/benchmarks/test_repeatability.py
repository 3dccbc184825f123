"""What is said of a class that was graded again and again is what its rounds show."""

import json
from typing import Any

import pytest

from benchmarks.repeatability import (
    PAGE,
    RESULTS,
    SECTION,
    TIMES,
    by_comparison,
    chosen_submissions,
    cost,
    coverage,
    narrowness,
    refusal,
    regraded,
    row,
    summary,
    table,
)
from grader.config.settings import LimitSettings
from grader.errors import InfrastructureError
from grader.grading.environment import GradingEnvironment
from grader.judge.speed import samples
from grader.model.confidence import PRECISION
from grader.model.report import Timing
from grader.model.run import EngineKind, TimedComparison, TimedPair
from grader.sandbox.process import ProcessSandbox
from tools.labs import built_in_labs, recorded_labs
from tools.pages import section

LAB = built_in_labs().get("row-sum")
KERNEL = "row_sum_shared"
BASELINE = LAB.manifest.baseline
(TARGET, *_) = LAB.manifest.rubric.targets(KERNEL, BASELINE)


def timed(speedup: float, *, seconds: float = 1e-4, jitter: float = 0.0) -> Timing:
    """A kernel that is ``speedup`` times as fast, in pairs that differ evenly by ``jitter`` to either side."""
    pairs = tuple(
        TimedPair(baseline=speedup * seconds * (1 + jitter * (2 * i - 29) / 29), submission=seconds)
        for i in range(30)
    )
    comparison = TimedComparison(pairs=pairs, modelled=False, wall_seconds=0.25)
    return samples(comparison, BASELINE)


def rounds(*timings: Timing) -> list[list[dict[str, Any]]]:
    return [[row(LAB, "student-01", KERNEL, timing)] for timing in timings]


def test_rounds_that_agree_change_nothing() -> None:
    (found,) = summary(rounds(timed(2 * TARGET), timed(2.02 * TARGET)))
    assert (found["rounds"], found["comparisons"]) == (2, 1)
    assert found["changed"] == 0
    assert found["off"] is None
    assert found["spread"] == pytest.approx(0.01)
    assert (found["pairs"], found["seconds"]) == (30, 0.25)


def test_a_changed_answer_counts_with_its_threshold_distance() -> None:
    (found,) = summary(rounds(timed(1.01 * TARGET), timed(0.97 * TARGET), timed(0.98 * TARGET)))
    assert found["changed"] == 1
    assert found["off"] == pytest.approx(0.02)


def test_the_width_is_the_worst_of_what_takes_long_enough() -> None:
    wide, narrow = timed(2.0, jitter=0.1), timed(2.0, jitter=0.01)
    short = timed(2.0, seconds=5e-6, jitter=0.5)
    (found,) = summary(rounds(narrow, wide, short))
    assert found["half_width_at_30"] == pytest.approx(rounds(wide)[0][0]["half_width_at_30"])
    assert 0.03 < found["half_width_at_30"] < 0.06
    assert found["half_width"] == pytest.approx(found["half_width_at_30"], rel=0.1)


def test_comparisons_decided_at_the_first_check_are_counted() -> None:
    narrow, wide = ([row] for row in (rounds(timed(2.0, jitter=j))[0][0] for j in (0.001, 0.1)))
    short = rounds(timed(2.0, seconds=5e-6, jitter=0.5))[0]
    assert narrowness([narrow, wide, short]).endswith("of 1 of 2 comparisons")


def test_intervals_that_miss_the_median_are_counted() -> None:
    like, unlike = timed(2.0, jitter=0.001), timed(2.2, jitter=0.001)
    assert coverage([[each[0] for each in rounds(like, like)]]).startswith("0 of 2 intervals")
    assert coverage([[each[0] for each in rounds(like, like, unlike)]]).startswith("1 of 3 intervals")
    assert "by at most 9.9" in coverage([[each[0] for each in rounds(like, like, unlike)]])


def test_the_cost_is_that_of_kernels_of_which_both_are_brief() -> None:
    brief, slow_baseline = rounds(timed(2.0))[0], rounds(timed(20.0))[0]
    assert cost([brief, slow_baseline]).endswith("0.25 s was the median of 1")
    assert cost([slow_baseline]) == "no two kernels took less than a millisecond"


def test_a_round_without_a_time_is_only_counted() -> None:
    timing = timed(2 * TARGET)
    (found,) = summary([*rounds(timing), [refusal(LAB, "student-01", "the GPU's clock changed")]])
    assert found == summary(rounds(timing))[0] | {"refused": 1}


def test_a_lab_has_as_many_rounds_as_its_comparison_with_fewest() -> None:
    timing = timed(2 * TARGET)
    whole, cut = rounds(timing, timing)
    cut[0]["kernel"] = "another"
    (found,) = summary([whole, whole + cut])
    assert (found["rounds"], found["comparisons"]) == (1, 2)


def test_a_missing_time_is_reported_and_the_next_round_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    lab, submission = next(iter(chosen_submissions(["row-sum"])))
    answers = iter([InfrastructureError("the GPU's clock changed"), None])

    def once_without(*_: object) -> tuple[()]:
        if (answer := next(answers)) is not None:
            raise answer
        return ()

    monkeypatch.setattr("benchmarks.repeatability.time_kernels", once_without)
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )
        found = list(regraded(environment, lab, submission, times=2))
    assert found == [[refusal(lab, submission.student, "the GPU's clock changed")], []]


def test_all_submissions_are_timed() -> None:
    students = {submission.student for _, submission in chosen_submissions(["row-sum"])}
    assert students
    assert students < {submission.student for _, submission in chosen_submissions(["row-sum", "matmul"])}
    assert [lab.name for lab, _ in chosen_submissions(["row-sum", "matmul"], most=1)] == ["row-sum", "matmul"]


def test_every_round_has_every_comparison() -> None:
    lab, submission = next(iter(chosen_submissions(["vector-add"])))
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )
        once, again = regraded(environment, lab, submission, times=2)
    assert once == again
    assert {found["rung"] for found in once} >= {lab.manifest.baseline}
    where = {
        "device": "none",
        "driver": "none",
        "commit": "0" * 40,
        "measured_at": "2024-03-01T12:00:00+00:00",
    }
    shown = table({"runs": [{"provenance": where, "rounds": [once, again]}]})
    assert shown.startswith("- vector-add\n  on none")
    assert "| vector-add | none | `0000000` | 2 |" in shown


def test_the_page_shows_the_record_and_its_limits_hold() -> None:
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert section(PAGE.read_text(encoding="utf-8"), SECTION) == table(record)
    found = [each for run in record["runs"] for each in summary(run["rounds"])]
    assert {each["lab"] for each in found if each["rounds"] == TIMES} == {lab.name for lab in recorded_labs()}
    assert all(each["half_width"] <= PRECISION and each["changed"] == 0 for each in found)


def test_what_the_page_says_of_an_h200_is_recorded() -> None:
    newest: dict[str, list[list[dict[str, Any]]]] = {}
    for run in json.loads(RESULTS.read_text(encoding="utf-8"))["runs"]:
        if run["provenance"]["device"] == "NVIDIA H200":
            found = by_comparison(run["rounds"])
            for lab in {same[0]["lab"] for same in found} - newest.keys():
                newest[lab] = [same for same in found if same[0]["lab"] == lab]
    assert newest.keys() == {lab.name for lab in recorded_labs()}
    every = [same for found in newest.values() for same in found]
    assert coverage(every).startswith("22 of 1307 intervals")
    assert coverage(every).endswith("by at most 0.08%")
    assert narrowness(every).endswith("in all rounds of 67 of 67 comparisons")
    assert " 0.44 s was the median" in cost(every)
    spread = max(
        max(values) / min(values) - 1 for values in ([row["speedup"][1] for row in same] for same in every)
    )
    assert f"{spread:.1%}" == "0.7%"
    text = PAGE.read_text(encoding="utf-8").replace("\n  ", " ")
    assert "22 of 1,307 intervals do not hold" in text
    assert "rounds of all 67 comparisons" in text
    assert "rounds differ by 0.7 % at most" in text
    assert "a decision costs 0.44 s at the median" in text
