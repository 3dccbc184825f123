"""Why a grade is what it is: each step in the order in which it was taken."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from grader.model.reason import Reason, plural_of, reason
from grader.policy.acceptance import Considered, Refusal, steps_after
from grader.policy.grade import CountedGrade, KeptAttempt
from grader.policy.holding import Holding
from grader.policy.rules import Keep, Scores
from grader.policy.times import local_text
from grader.policy.wording import elapsed, less, note
from grader.policy.work import Work

_REFUSED = {
    Refusal.EARLY: "counted-early",
    Refusal.OVER_THE_LIMIT: "counted-over-limit",
    Refusal.CLOSED: "counted-closed",
}


def explain(
    held: Holding, work: Work, considered: Sequence[Considered], grade: CountedGrade
) -> tuple[Reason, ...]:
    """The explanation of ``grade``, which counts one of the attempts ``considered``."""
    if held.excused is not None:
        return (reason("counted-excused", note=note(held.excused.by, held.excused.reason)),)
    steps = [*_attempts(considered)]
    if (extended := _extension(held)) is not None:
        steps.insert(0, extended)
    if grade.kept is not None:
        steps += _kept(held, considered, grade, grade.kept)
    if work.override is not None and grade.points is not None:
        steps.append(
            reason(
                "counted-override",
                points=grade.points,
                count=plural_of(grade.points),
                note=note(work.override.who, work.override.why),
            )
        )
    if not grade.visible:
        steps.append(_hidden(held))
    return tuple(steps)


def _attempts(considered: Sequence[Considered]) -> list[Reason]:
    """What did not count, and what has no score."""
    if not considered:
        return [reason("counted-nothing")]
    refused = Counter(each.refusal for each in considered)
    found = [reason(code, count=refused[kind]) for kind, code in _REFUSED.items() if refused[kind]]
    pending = sum(each.refusal is None and each.attempt.points is None for each in considered)
    return [*found, *([reason("counted-pending", count=pending)] if pending else [])]


def _extension(held: Holding) -> Reason | None:
    extension, due, before = held.extension, held.rule.due, held.base.due
    if extension is None or due is None or before is None:
        return None
    return reason(
        "counted-extension",
        due=local_text(due, held.zone),
        before=local_text(before, held.zone),
        note=note(extension.by, extension.reason),
    )


def _kept(
    held: Holding, considered: Sequence[Considered], grade: CountedGrade, kept: KeptAttempt
) -> list[Reason]:
    attempt = considered[kept.number - 1].attempt
    raw = grade.raw_points or 0.0
    steps = [
        reason(
            _why_kept(held, considered, kept),
            number=kept.number,
            total=len(considered),
            at=local_text(kept.submitted_at, held.zone),
            points=raw,
            max=grade.max_points,
        )
    ]
    if held.rule.points is not None and held.rule.points != attempt.max_points:
        steps.append(
            reason(
                "counted-scaled",
                own=attempt.points,
                own_max=attempt.max_points,
                points=raw,
                max=grade.max_points,
            )
        )
    return steps if grade.override else [*steps, *_lateness(held, grade, kept)]


def _why_kept(held: Holding, considered: Sequence[Considered], kept: KeptAttempt) -> str:
    scored = [each for each in considered if each.refusal is None and each.attempt.points is not None]
    if len(scored) == 1:
        return "counted-kept-only"
    if held.rule.keep is Keep.BEST:
        return "counted-kept-best"
    return "counted-kept-last" if scored[-1].number == kept.number else "counted-kept-former"


def _lateness(held: Holding, grade: CountedGrade, kept: KeptAttempt) -> list[Reason]:
    rule = held.rule
    if not grade.late_seconds:
        in_grace = rule.due is not None and kept.submitted_at > rule.due
        return [reason("counted-in-grace" if in_grace else "counted-on-time")] if rule.due else []
    said = [reason("counted-late", late=elapsed(timedelta(seconds=grade.late_seconds)))]
    if grade.late_days:
        said.append(reason("counted-late-days", count=grade.late_days))
    if grade.penalty:
        cost = rule.late.costs(steps_after(rule, held.zone, kept.submitted_at, grade.late_days))
        said.append(
            reason(
                "counted-penalty",
                less=less(rule.late, cost),
                points=grade.penalty,
                count=plural_of(grade.penalty),
            )
        )
    else:
        said.append(reason("counted-no-penalty"))
    return said


def _hidden(held: Holding) -> Reason:
    if held.rule.scores is Scores.WHEN_PUBLISHED or held.rule.due is None:
        return reason("counted-not-published")
    return reason("counted-hidden-until", until=local_text(held.rule.due + held.rule.grace, held.zone))
