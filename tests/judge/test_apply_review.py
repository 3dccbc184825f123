"""A staff decision grants or refuses the withheld points, and changes nothing else."""

from dataclasses import replace

import pytest

from grader.judge.apply_review import apply_review
from grader.model.reason import as_written
from grader.model.report import Part, Report, Withheld
from grader.model.review import Decision, Review
from grader.model.verdict import Verdict
from tests.report.examples import case, kernel, report, speedup
from tools.messages import english

FLAG_REASON = "1.71 times faster than H200 can read its inputs"
REASON = "4.20× [4.19, 4.21] measured; all 10 points"


def review(decision: Decision) -> Review:
    return Review(decision=decision, reviewer="ta", reason="seen", decided_at="2024-03-01T12:00:00+00:00")


def suspicious(*, other: Verdict = Verdict.ACCEPTED) -> Report:
    odd = replace(
        kernel("fast", Verdict.SUSPICIOUS, FLAG_REASON, cases=(case("a"), case("b")), fast=speedup(4.2)),
        suspicion=as_written(FLAG_REASON),
    )
    waiting = Part(
        name="fast at least 4 times as fast",
        score=0,
        max_score=10,
        reason=as_written(f"withheld until staff review: {FLAG_REASON}"),
        withheld=Withheld(score=10, reason=as_written(REASON)),
    )
    parts = (
        Part(name="correctness", score=60, max_score=60, reason=as_written("2 of 2 cases right")),
        waiting,
    )
    return report(
        "s", "lab", odd, kernel("slow", other), score=60, parts=parts, reason=f"fast: {FLAG_REASON}"
    )


def test_a_cleared_report_gets_the_withheld_points() -> None:
    seen = apply_review(suspicious(), review(Decision.CLEARED))
    assert seen.verdict is Verdict.ACCEPTED
    assert seen.score == 70
    assert (seen.parts[1].score, english(seen.parts[1].reason), seen.parts[1].withheld) == (10, REASON, None)
    assert seen.kernels[0].verdict is Verdict.ACCEPTED
    assert english(seen.kernels[0].suspicion) == FLAG_REASON
    assert "right in all 2 cases" in english(seen.reason)
    assert "cleared" in english(seen.reason)
    assert seen.review == review(Decision.CLEARED)


@pytest.mark.parametrize(("decision", "score"), [(Decision.CLEARED, 70), (Decision.CONFIRMED, 60)])
def test_a_decision_applies_beside_a_wrong_kernel_too(decision: Decision, score: float) -> None:
    graded = replace(
        suspicious(other=Verdict.WRONG), verdict=Verdict.WRONG, reason=as_written("slow: case a: wrong")
    )
    assert english(graded.flag_reason) == f"fast: {FLAG_REASON}"
    seen = apply_review(graded, review(decision))
    assert (seen.verdict, english(seen.reason), seen.score) == (Verdict.WRONG, "slow: case a: wrong", score)
    assert [part.withheld for part in seen.parts] == [None, None]


def test_a_confirmed_flag_keeps_the_verdict_and_no_points() -> None:
    seen = apply_review(suspicious(), review(Decision.CONFIRMED))
    assert (seen.verdict, seen.score) == (Verdict.SUSPICIOUS, 60)
    assert "confirmed" in english(seen.parts[1].reason)
    assert seen.parts[1].withheld is None
    assert seen.parts[0] == suspicious().parts[0]
    assert seen.kernels == suspicious().kernels


def test_a_report_without_a_flag_cannot_be_decided() -> None:
    honest = report("s", "lab", kernel("k"))
    with pytest.raises(ValueError, match="nothing to decide about a submission that is accepted"):
        apply_review(honest, review(Decision.CLEARED))
