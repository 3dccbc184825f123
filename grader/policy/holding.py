"""Which rule holds for one student and lab."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from grader.policy.rules import Course, Exemption, LabRule, Student
from grader.policy.times import days_after, moved_alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """The ``rule`` that holds for ``student`` and ``lab``; ``base`` is that of everybody else.

    ``exemptions`` are those that changed something; ``excused`` is the one that excuses the student, if one does.
    """

    student: str
    lab: str
    zone: ZoneInfo
    rule: LabRule
    base: LabRule
    exemptions: tuple[Exemption, ...] = ()
    excused: Exemption | None = None

    @property
    def extension(self) -> Exemption | None:
        """The exemption that sets the due date, if one does."""
        moved = self.rule.due != self.base.due
        return next(
            (each for each in self.exemptions if moved and _due(self.base, each, self.zone) == self.rule.due),
            None,
        )


def holding(course: Course, student: Student, lab: str, decided: Iterable[Exemption] = ()) -> Holding:
    """The rule of ``lab`` with every exemption of ``student``: those of the course and those ``decided`` since.

    Of several the most generous counts.
    """
    base = course.rule(lab)
    own = [
        each
        for each in (*course.exemptions, *decided)
        if each.lab in {None, lab} and student.is_in(each.scope, each.name)
    ]
    rule = base
    applied = []
    for each in own:
        wider = _wider(rule, base, each, course.zone)
        if wider != rule or each.excused:
            applied.append(each)
        rule = wider
    return Holding(
        student=student.id,
        lab=lab,
        zone=course.zone,
        rule=rule,
        base=base,
        exemptions=tuple(applied),
        excused=next((each for each in own if each.excused), None),
    )


def _wider(rule: LabRule, base: LabRule, exemption: Exemption, zone: ZoneInfo) -> LabRule:
    """``rule`` as ``exemption`` widens it; it never takes anything away."""
    due, closes = _due(base, exemption, zone), exemption.closes
    if closes is None and base.closes is not None and base.due is not None and due is not None:
        closes = moved_alike(base.closes, base.due, due, zone)
    limits = rule.limits if exemption.attempts is None else (*rule.limits, exemption.attempts)
    return replace(
        rule,
        due=_later(rule.due, due),
        closes=_later(rule.closes, closes),
        limits=tuple(dict.fromkeys(limits)),
    )


def _due(base: LabRule, exemption: Exemption, zone: ZoneInfo) -> datetime | None:
    if exemption.due is not None or base.due is None or not exemption.days:
        return exemption.due
    return days_after(base.due, exemption.days, zone)


def _later(rule: datetime | None, own: datetime | None) -> datetime | None:
    """The later of two dates; a rule without one needs none."""
    return rule if rule is None or own is None else max(rule, own)
