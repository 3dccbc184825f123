"""A decision gives what was withheld, or says that it never will be given, and nothing else."""

from dataclasses import replace

import pytest

from grader.judge.apply_review import apply_review
from grader.model.report import Part, Report, Withheld
from grader.model.review import Decision, Review
from grader.model.verdict import Verdict
from tests.report.examples import case, kernel, report, speedup

DOUBT = "1.71 times faster than H200 can read its inputs"
REASON = "4.20× [4.19, 4.21] measured; all 10 points"


def review(decision: Decision) -> Review:
    return Review(decision=decision, reviewer="ta", reason="seen", decided_at="2024-03-01T12:00:00+00:00")


def suspicious(*, other: Verdict = Verdict.ACCEPTED) -> Report:
    odd = replace(
        kernel("fast", Verdict.SUSPICIOUS, DOUBT, cases=(case("a"), case("b")), fast=speedup(4.2)),
        suspicion=DOUBT,
    )
    waiting = Part(
        name="fast at least 4 times as fast",
        score=0,
        max_score=10,
        reason=f"not given before a person has looked: {DOUBT}",
        withheld=Withheld(score=10, reason=REASON),
    )
    parts = (Part(name="correctness", score=60, max_score=60, reason="2 of 2 cases right"), waiting)
    return report("s", "lab", odd, kernel("slow", other), score=60, parts=parts, reason=f"fast: {DOUBT}")


def test_cleared_it_is_what_it_would_have_been() -> None:
    seen = apply_review(suspicious(), review(Decision.CLEARED))
    assert seen.verdict is Verdict.ACCEPTED
    assert seen.score == 70
    assert (seen.parts[1].score, seen.parts[1].reason, seen.parts[1].withheld) == (10, REASON, None)
    assert seen.kernels[0].verdict is Verdict.ACCEPTED
    assert seen.kernels[0].suspicion == DOUBT
    assert seen.reason == "right in all 2 cases; a person has cleared its times"
    assert seen.review == review(Decision.CLEARED)


@pytest.mark.parametrize(("decision", "score"), [(Decision.CLEARED, 70), (Decision.CONFIRMED, 60)])
def test_what_is_withheld_beside_a_kernel_that_is_wrong_is_decided_about_too(
    decision: Decision, score: float
) -> None:
    graded = replace(suspicious(other=Verdict.WRONG), verdict=Verdict.WRONG, reason="slow: case a: wrong")
    assert graded.flag_reason == f"fast: {DOUBT}"
    seen = apply_review(graded, review(decision))
    assert (seen.verdict, seen.reason, seen.score) == (Verdict.WRONG, "slow: case a: wrong", score)
    assert [part.withheld for part in seen.parts] == [None, None]


def test_confirmed_it_keeps_its_verdict_and_gets_no_points() -> None:
    seen = apply_review(suspicious(), review(Decision.CONFIRMED))
    assert (seen.verdict, seen.score) == (Verdict.SUSPICIOUS, 60)
    assert seen.parts[1].reason == "not given: a person has looked, and its times stay in doubt"
    assert seen.parts[1].withheld is None
    assert seen.parts[0] == suspicious().parts[0]
    assert seen.kernels == suspicious().kernels


def test_nothing_else_can_be_decided_about() -> None:
    honest = report("s", "lab", kernel("k"))
    with pytest.raises(ValueError, match="nothing to decide about a submission that is accepted"):
        apply_review(honest, review(Decision.CLEARED))
