"""What counts: attempts, scores, decisions and the rule that holds become a grade with its explanation."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from grader.policy.acceptance import Considered, consider, lateness, steps_after
from grader.policy.explanation import explain
from grader.policy.grade import CountedGrade, KeptAttempt
from grader.policy.holding import Holding, holding
from grader.policy.late_days import spent
from grader.policy.rules import Course, Exemption, Keep, LabRule, Scores, Student
from grader.policy.work import ScoredAttempt, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """What one attempt would count: ``raw`` points on the course's scale, which gives ``most``, less ``penalty``.

    Without such a scale ``most`` is what the rubric gave when the attempt was scored.
    """

    considered: Considered
    raw: float
    penalty: float
    most: float

    @property
    def points(self) -> float:
        """The points after the penalty."""
        return self.raw - self.penalty

    @property
    def share(self) -> float:
        """The part of all points: rubrics that give different points compare by it."""
        return self.points / self.most if self.most else self.points


def count_all(
    course: Course,
    student: Student,
    works: Mapping[str, Work],
    now: datetime,
    decided: Collection[Exemption] = (),
) -> dict[str, CountedGrade]:
    """The grade of ``student`` in each lab of ``works``.

    ``decided`` are the extensions that staff gave since the course file was written. The late days of the term are
    shared out over all labs, so that ``works`` must have them all.
    """
    holdings = {lab: holding(course, student, lab, decided) for lab in works}
    attempts = {lab: work.in_order for lab, work in works.items()}
    days = spent(holdings, attempts, course.late_days)
    grades = {}
    for lab, work in works.items():
        held, former = holdings[lab], None
        if held.rule != held.base and held.rule.keep is Keep.LAST:
            # The last attempt may be worse than that without the extension, which never lowers a grade.
            plain = replace(held, rule=held.base)
            former_days = spent({**holdings, lab: plain}, attempts, course.late_days)[lab]
            former = _kept(plain, work, former_days)
        grades[lab] = counted(held, work, days[lab], now, at_least=former)
    return grades


def counted(
    held: Holding,
    work: Work,
    late_days: int,
    now: datetime,
    *,
    at_least: Credit | None = None,
) -> CountedGrade:
    """The grade of one lab, on which the student spends ``late_days``.

    ``at_least``: the attempt of this credit counts where it gives more than the one that the rule keeps.
    """
    rule = held.rule
    considered = consider(rule, held.zone, work.in_order, late_days)
    kept = _kept(held, work, late_days)
    other = None if at_least is None else _credit(held, at_least.considered, late_days)
    if kept is not None and other is not None:
        kept = max(kept, other, key=lambda each: each.share)
    most = _most(rule, work.max_points) if kept is None else kept.most
    override = _override(rule, most, work)
    points = override if override is not None or kept is None else kept.points
    excused = held.excused is not None
    adjusted = excused or override is not None
    grade = CountedGrade(
        person=held.student,
        lab=held.lab,
        points=None if excused else points,
        max_points=most,
        raw_points=None if kept is None else kept.raw,
        penalty=0.0 if kept is None or adjusted else kept.penalty,
        late_seconds=0.0 if kept is None else _late_seconds(rule, kept.considered.attempt),
        late_days=late_days,
        kept=None if kept is None else _named(kept.considered),
        excused=excused,
        override=override is not None,
        submitted=bool(considered),
        due=rule.due,
        visible=is_visible(held, now, published=work.published),
    )
    return replace(grade, explanation=explain(held, work, considered, grade))


def is_visible(held: Holding, now: datetime, *, published: bool) -> bool:
    """Whether the student may see the score now: a due date of their own must have passed, too."""
    match held.rule.scores:
        case Scores.AT_ONCE:
            return True
        case Scores.AFTER_DUE:
            due = held.rule.due
            return due is None or now > due + held.rule.grace
        case Scores.WHEN_PUBLISHED:
            return published


def _kept(held: Holding, work: Work, late_days: int) -> Credit | None:
    """The attempt that the rule keeps, of those that are accepted and have a score."""
    accepted = (
        each for each in consider(held.rule, held.zone, work.in_order, late_days) if each.refusal is None
    )
    found = [credit for each in accepted if (credit := _credit(held, each, late_days)) is not None]
    return _chosen(held.rule.keep, found)


def _chosen(keep: Keep, found: Sequence[Credit]) -> Credit | None:
    """The last one ``found``, or the best and of equal ones the first."""
    if not found:
        return None
    return found[-1] if keep is Keep.LAST else max(found, key=lambda each: each.share)


def _credit(held: Holding, considered: Considered, late_days: int) -> Credit | None:
    attempt, rule = considered.attempt, held.rule
    if attempt.points is None:
        return None
    raw = attempt.points * _scale(rule, attempt.max_points)
    steps = steps_after(rule, held.zone, attempt.submitted_at, late_days)
    most = _most(rule, attempt.max_points)
    return Credit(considered=considered, raw=raw, penalty=rule.late.penalty(raw, most, steps), most=most)


def _override(rule: LabRule, most: float, work: Work) -> float | None:
    """The points that staff set, of ``most``: the same when the rubric gives others, and never above all."""
    if work.override is None:
        return None
    scale = _scale(rule, work.override.max_points or work.max_points)
    return min(work.override.points * scale, most)


def _most(rule: LabRule, max_points: float) -> float:
    """What the lab gives in the course if its rubric gives ``max_points``."""
    return max_points if rule.points is None else rule.points


def _scale(rule: LabRule, max_points: float) -> float:
    """What turns points of ``max_points`` into those of the course."""
    return 1.0 if rule.points is None or not max_points else rule.points / max_points


def _late_seconds(rule: LabRule, attempt: ScoredAttempt) -> float:
    return lateness(rule, attempt.submitted_at).total_seconds()


def _named(considered: Considered) -> KeptAttempt:
    attempt = considered.attempt
    return KeptAttempt(
        number=considered.number,
        source=attempt.source,
        submission=attempt.submission,
        submitted_at=attempt.submitted_at,
    )


def total(grades: Iterable[CountedGrade], course: Course) -> float | None:
    """The weighted part of all points that count, in percent; ``None`` if nothing does.

    A lab without points counts as zero, unless the student is excused from it.
    """
    weighed = [
        (each, course.rule(each.lab).weight) for each in grades if not each.excused and each.max_points
    ]
    weight = sum(weight for _, weight in weighed)
    if not weight:
        return None
    return 100 * sum((each.points or 0.0) / each.max_points * weight for each, weight in weighed) / weight
