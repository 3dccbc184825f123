"""Apply the decisions of staff to a report; what is stored does not change."""

from collections.abc import Iterable
from dataclasses import replace

from grader.judge.apply_review import apply_review
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import Reason, as_written, reason
from grader.model.report import Report
from grader.model.review import Adjustment, FlaggedWork, Review
from grader.store.rulings import Excuse, FlagReview, LineComment, Override, RegradeAnswer
from grader.store.values import Decision, Flagged, Score


def decided(report: Report, score: Score, decisions: Iterable[Decision]) -> Report:
    """``report`` of ``score`` after ``decisions``, of which the oldest comes first.

    The last review of a flag counts, and the last one of all overrides and excuses. Comments and the answer to a
    request become findings of the report.
    """
    applying = [decision for decision in decisions if decision.applies_to(score)]
    reviewed = reviews(applying)
    if report.flag_reason and reviewed:
        report = apply_review(report, reviewed[-1])
    if comments := remarks(applying):
        report = replace(report, diagnostics=(*report.diagnostics, *comments))
    others = [decision for decision in applying if isinstance(decision.ruling, Override | Excuse)]
    return _adjusted(report, others[-1]) if others else report


def left_behind(decisions: Iterable[Decision], score: Score) -> Decision | None:
    """The last override that holds for a former submission, so that it does not apply to ``score``."""
    last: dict[str | None, Decision] = {}
    for decision in decisions:
        same_work = (decision.student, decision.lab) == (score.key.student, score.key.lab)
        if same_work and isinstance(decision.ruling, Override | Excuse):
            last[decision.submission] = decision
    former = [
        each
        for submission, each in last.items()
        if submission not in {None, score.key.digest}
        and isinstance(each.ruling, Override)
        and not each.ruling.changes_nothing
    ]
    return max(former, key=lambda each: each.decided_at, default=None)


def remarks(decisions: Iterable[Decision]) -> tuple[Diagnostic, ...]:
    """What staff say to the student: comments at lines, then the answer to the last request.

    Each line that staff wrote is a remark of its own: a statement is one line.
    """
    comments: dict[tuple[str, int], list[Diagnostic]] = {}
    answers: list[Diagnostic] = []
    for decision in decisions:
        ruling = decision.ruling
        if isinstance(ruling, LineComment) and ruling.text:
            said = [_remark(as_written(line), ruling.file, ruling.line) for line in _lines(ruling.text)]
            comments.setdefault((ruling.file, ruling.line), []).extend(said)
        elif isinstance(ruling, LineComment):
            comments.pop((ruling.file, ruling.line), None)
        elif isinstance(ruling, RegradeAnswer):
            code = "request-accepted" if ruling.accepted else "request-declined"
            first, *others = _lines(decision.why) or [""]
            answers = [_remark(reason(code, text=first)), *map(_remark, map(as_written, others))]
    return (*(each for at_line in comments.values() for each in at_line), *answers)


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
    if not excused and override.changes_nothing:
        return report  # the override was withdrawn
    return replace(
        report,
        score=report.score if override.points is None else min(override.points, report.max_score),
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


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _remark(said: Reason, file: str | None = None, line: int | None = None) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.STAFF_COMMENT, severity=Severity.NOTE, message=said, file=file, line=line
    )


def _seconds(decision: Decision) -> str:
    return decision.decided_at.isoformat(timespec="seconds")
