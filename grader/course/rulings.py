"""Apply the decisions of staff to a report; what is stored does not change."""

from collections.abc import Iterable
from dataclasses import replace

from grader.judge.apply_review import apply_review
from grader.model.reason import reason
from grader.model.report import Report
from grader.model.review import Adjustment, FlaggedWork, Review
from grader.store.values import Decision, Excuse, Flagged, FlagReview, Override, Score


def decided(report: Report, score: Score, decisions: Iterable[Decision]) -> Report:
    """``report`` of ``score`` after ``decisions``, of which the oldest comes first.

    The last review of a flag counts, and the last one of all overrides and excuses.
    """
    applying = [decision for decision in decisions if decision.applies_to(score)]
    reviewed = reviews(applying)
    if report.flag_reason and reviewed:
        report = apply_review(report, reviewed[-1])
    others = [decision for decision in applying if not isinstance(decision.ruling, FlagReview)]
    return _adjusted(report, others[-1]) if others else report


def reviews(decisions: Iterable[Decision]) -> tuple[Review, ...]:
    """The reviews of a flag among ``decisions``."""
    return tuple(
        Review(
            decision=decision.ruling.outcome,
            reviewer=decision.who,
            reason=decision.why,
            decided_at=_seconds(decision),
        )
        for decision in decisions
        if isinstance(decision.ruling, FlagReview)
    )


def flagged_work(flagged: Flagged) -> FlaggedWork:
    """A flagged score as staff review it."""
    score, flag = flagged.score, flagged.score.flag
    if flag is None:
        msg = f"score {score.id} has no flag"
        raise ValueError(msg)
    return FlaggedWork(
        student=score.key.student,
        lab=score.key.lab,
        reason=reason("in-kernel", kernel=flag.kernel, reason=flag.reason),
        reviews=reviews(flagged.decisions),
    )


def _adjusted(report: Report, decision: Decision) -> Report:
    ruling = decision.ruling
    override = ruling if isinstance(ruling, Override) else Override()
    excused = isinstance(ruling, Excuse)
    if not excused and override.points is None and override.verdict is None:
        return report  # the override was withdrawn
    return replace(
        report,
        score=report.score if override.points is None else override.points,
        verdict=override.verdict or report.verdict,
        adjustment=Adjustment(
            excused=excused,
            score=report.score,
            verdict=report.verdict,
            who=decision.who,
            why=decision.why,
            comment=override.comment,
            decided_at=_seconds(decision),
        ),
    )


def _seconds(decision: Decision) -> str:
    return decision.decided_at.isoformat(timespec="seconds")
