"""A small course and its attempts, for the tests of the rules."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from grader.policy.counting import count_all
from grader.policy.grade import CountedGrade
from grader.policy.late import late_rule
from grader.policy.rules import Course, Exemption, LabRule, Scope, Student
from grader.policy.times import instant
from grader.policy.work import ScoredAttempt, Work

BERLIN = ZoneInfo("Europe/Berlin")
LAB = "row-sum"
ADA = Student(id="ada", groups=frozenset({"team 1"}), labels=frozenset({"extra time"}), section="A")
NOW = datetime(2026, 7, 1, tzinfo=UTC)


def local(text: str) -> datetime:
    """A time on the clocks of Berlin in June 2026: ``18 23:59``."""
    return instant(datetime.strptime(f"2026-06-{text}", "%Y-%m-%d %H:%M"), BERLIN)  # noqa: DTZ007 - local by intent


DUE = local("18 23:59")


def rule(late: str = "10 % a day, at most 3 days", **more: Any) -> LabRule:
    """A lab that is due on 18 June."""
    return LabRule(**{"due": DUE, "late": late_rule(late), **more})


def course(lab: LabRule | None = None, *exemptions: Exemption, **more: Any) -> Course:
    """A course with one lab."""
    labs = {LAB: lab or rule()}
    return Course(**{"zone": BERLIN, "labs": labs, "exemptions": exemptions, **more})


def extension(days: int = 2, **more: Any) -> Exemption:
    """More time for Ada."""
    return Exemption(**{"scope": Scope.STUDENT, "name": "ada", "lab": LAB, "days": days, **more})


def attempt(at: datetime | float, points: float | None = 80, **more: Any) -> ScoredAttempt:
    """An attempt ``at`` a time, or so many hours after the due date."""
    when = at if isinstance(at, datetime) else DUE + timedelta(hours=at)
    source = more.pop("source", f"{when.isoformat()} {points}")
    return ScoredAttempt(
        source=source, submission="digest", submitted_at=when, points=points, max_points=100, **more
    )


def work(*attempts: ScoredAttempt, **more: Any) -> Work:
    """Work for a lab of 100 points."""
    return Work(**{"max_points": 100, "attempts": attempts, **more})


def grade(
    of: Course, *attempts: ScoredAttempt, now: datetime = NOW, student: Student = ADA, **more: Any
) -> CountedGrade:
    """Ada's grade in the lab."""
    return count_all(of, student, {LAB: work(*attempts, **more)}, now)[LAB]


def grades(of: Course, works: Mapping[str, Work]) -> Mapping[str, CountedGrade]:
    """Ada's grades."""
    return count_all(of, ADA, works, NOW)


def codes(found: CountedGrade) -> list[str]:
    """The codes of the explanation."""
    return [each.code for each in found.explanation]
