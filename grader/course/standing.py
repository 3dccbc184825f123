"""How a student stands with a lab at a time: the rule that holds for them, and what they have used of it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from grader.course.works import StudentWork
from grader.model.reason import Reason
from grader.policy.acceptance import accepted_until, refused_at_once
from grader.policy.holding import Holding, holding
from grader.policy.late_days import spent
from grader.policy.rules import Course
from grader.policy.sentence import sentence
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The rule that holds at ``now``, the times of the attempts that took a token, and late days."""

    held: Holding
    now: datetime
    used: tuple[datetime, ...]
    late_days: int
    late_days_left: int

    @property
    def rule(self) -> Reason:
        """The rule in one sentence."""
        return sentence(
            self.held,
            self.now,
            used=self.used,
            late_days=self.late_days,
            late_days_left=self.late_days_left,
        )

    @property
    def until(self) -> datetime | None:
        """The last instant at which work is accepted; ``None``: it always is."""
        return accepted_until(self.held.rule, self.held.zone, self.late_days + self.late_days_left)

    @property
    def accepts(self) -> bool:
        """Whether an attempt now would count."""
        opens, until = self.held.rule.opens, self.until
        if (opens is not None and self.now < opens) or (until is not None and self.now > until):
            return False
        return any(limit.next_at(self.used, self.now) == self.now for limit in self.held.rule.limits)


def standing(course: Course, person: Person, theirs: StudentWork, lab: str, now: datetime) -> Standing:
    """How ``person`` stands with ``lab`` at ``now``; ``theirs`` has their work on every lab of the course and on it."""
    labs = tuple(dict.fromkeys((*course.labs, lab)))
    attempts = {
        name: [each for each in theirs.works[name].in_order if each.submitted_at <= now] for name in labs
    }
    student = course.student(person.id, person.section, person.groups, person.labels)
    holdings = {name: holding(course, student, name, theirs.exemptions) for name in labs}
    days = spent(holdings, attempts, course.late_days)
    held = holdings[lab]
    refusals = refused_at_once(held.rule, attempts[lab])
    return Standing(
        held=held,
        now=now,
        used=tuple(
            each.submitted_at
            for each, refusal in zip(attempts[lab], refusals, strict=True)
            if refusal is None and not each.grader_failed
        ),
        late_days=days[lab],
        late_days_left=min(held.rule.late_days - days[lab], course.late_days - sum(days.values())),
    )


def labs_of(course: Course, *others: str) -> Collection[str]:
    """The labs of ``course``, and ``others``; late days are shared out over all of them."""
    return tuple(dict.fromkeys((*course.labs, *others)))
