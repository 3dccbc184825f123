"""The rules of a course: what holds for a lab, and whom they except."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from grader.policy.late import NOT_ACCEPTED, LateRule
from grader.policy.limits import UNLIMITED, AttemptLimit


class Keep(StrEnum):
    """Which of a student's attempts counts."""

    BEST = "best"
    LAST = "last"


class Scores(StrEnum):
    """When students see their scores."""

    AT_ONCE = "at once"
    AFTER_DUE = "after due"
    WHEN_PUBLISHED = "when published"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRule:
    """What holds for one lab. Times are instants; ``None``: no such date.

    ``points`` is what the lab gives in this course; ``None``: what its own rubric gives. ``weight`` is its part in a
    total. ``late_days`` is the most late days that one student can spend on it.
    """

    opens: datetime | None = None
    due: datetime | None = None
    closes: datetime | None = None
    late: LateRule = NOT_ACCEPTED
    grace: timedelta = timedelta()
    keep: Keep = Keep.BEST
    limits: tuple[AttemptLimit, ...] = (UNLIMITED,)
    scores: Scores = Scores.AT_ONCE
    points: float | None = None
    weight: float = 1.0
    late_days: int = 0


class Scope(StrEnum):
    """Whom an exemption is for."""

    STUDENT = "student"
    GROUP = "group"
    LABEL = "label"
    SECTION = "section"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exemption:
    """What holds for some students in place of the lab's rule; it only ever gives more.

    ``scope`` and ``name`` say whom it is for, ``lab`` where: ``None`` is every lab. ``due`` is a date of their own,
    ``days`` are days after the lab's.
    """

    scope: Scope
    name: str
    lab: str | None = None
    due: datetime | None = None
    days: int = 0
    closes: datetime | None = None
    attempts: AttemptLimit | None = None
    excused: bool = False
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """What the rules need to know about a person."""

    id: str
    section: str = ""
    groups: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()

    def is_in(self, scope: Scope, name: str) -> bool:
        """Whether an exemption for ``name`` is for this student."""
        names: Mapping[Scope, Collection[str]] = {
            Scope.STUDENT: (self.id,),
            Scope.GROUP: self.groups,
            Scope.LABEL: self.labels,
            Scope.SECTION: (self.section,),
        }
        return name in names[scope]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A course. ``language`` is that of feedback; empty: as configured.

    ``late_days`` is how many late days a student has for the term.

    ``others`` is the rule of labs that are not among ``labs``.

    ``groups`` and ``labels`` have the ids of those whom the course file names, besides what the roster says.
    ``boundaries`` are grades with the least percentage for each, the best first.
    """

    title: str = ""
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("UTC"))
    language: str = ""
    sections: tuple[str, ...] = ()
    late_days: int = 0
    labs: Mapping[str, LabRule] = field(default_factory=dict)
    others: LabRule = LabRule()
    exemptions: tuple[Exemption, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    boundaries: tuple[tuple[str, float], ...] = ()

    def rule(self, lab: str) -> LabRule:
        """The rule of ``lab``."""
        return self.labs.get(lab, self.others)

    def grade(self, total: float | None) -> str:
        """The grade for ``total`` percent, empty if there is none.

        A total that is shown with two decimals as a boundary reaches it: sums of fractions miss it by the last bit.
        """
        if total is None:
            return ""
        return next((name for name, least in self.boundaries if round(total, 2) >= least), "")

    def student(
        self, name: str, section: str = "", groups: Collection[str] = (), labels: Collection[str] = ()
    ) -> Student:
        """The student with the id ``name``, with what roster and course file say about them."""

        def named(lists: Mapping[str, tuple[str, ...]]) -> set[str]:
            return {each for each, members in lists.items() if name in members}

        return Student(
            id=name,
            section=section,
            groups=frozenset(named(self.groups).union(groups)),
            labels=frozenset(named(self.labels).union(labels)),
        )
