"""The rules of the course that holds here: its file, its people, and what staff decided since."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.text import printable
from grader.policy.course_file import FILE_NAME, CourseFile, read_course
from grader.policy.rules import Course, Exemption, Scope, Student
from grader.policy.times import written
from grader.store.people import Person
from grader.store.rulings import Excuse, Extension, Override
from grader.store.values import Decision


def course_path(workspace: Workspace) -> Path | None:
    """The file ``course.toml`` that applies: beside ``grader.toml``, or where the command runs, or above."""
    base = workspace.config.base
    return next((path for folder in (base, *base.parents) if (path := folder / FILE_NAME).is_file()), None)


def course_file(workspace: Workspace) -> CourseFile:
    """The course that applies, with its mistakes. Raises: ``UserError`` if there is no file, or it is no TOML."""
    path = course_path(workspace)
    if path is None:
        msg = f"There is no {FILE_NAME} here."
        raise UserError(msg, hint="Write one with `grader course new`.")
    return read_course(path, workspace.registry.labs)


def course_of(workspace: Workspace) -> Course:
    """The course that applies; without a file one without dates.

    Raises: ``UserError`` if the file cannot be read, or has a mistake.
    """
    if course_path(workspace) is None:
        return Course()
    found = course_file(workspace)
    if found.mistakes:
        more = len(found.mistakes) - 1
        hint = f"`grader course check` lists {more} more." if more else None
        raise UserError(found.mistakes[0], hint=hint)
    return found.course


def moment(course: Course, option: str, text: str) -> datetime:
    """The time that a user gave with ``option``, on the clocks of the course. Raises: ``UserError``."""
    try:
        return written(text, course.zone)
    except ValueError as error:
        msg = f"{option} {printable(text)} is no time: {error}."
        raise UserError(msg, hint='Write one such as "2026-06-18 23:59", or 2026-06-18.') from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """The course with its roster and the exemptions that staff decided, by student."""

    course: Course
    people: Mapping[str, Person]
    decided: Mapping[str, tuple[Exemption, ...]]

    def student(self, name: str) -> Student:
        """The student ``name``, also if the roster does not have them."""
        person = self.people.get(name, Person(id=name))
        return self.course.student(name, person.section, person.groups, person.labels)

    def exemptions(self, name: str) -> tuple[Exemption, ...]:
        """What staff decided for the student ``name``."""
        return self.decided.get(name, ())


def enrolment(records: Records, course: Course) -> Enrolment:
    """The people and decisions in the store for ``course``."""
    return Enrolment(
        course=course,
        people={each.id: each for each in records.store.people.list()},
        decided=exemptions(records.store.decisions.list()),
    )


def exemptions(decisions: Iterable[Decision]) -> dict[str, tuple[Exemption, ...]]:
    """The exemptions that hold after ``decisions``, of which the oldest comes first, by student.

    The last extension for a lab holds, and the last of all excuses and of the overrides that withdraw them.
    """
    last: dict[tuple[str, str, bool], Exemption | None] = {}
    for each in decisions:
        if isinstance(each.ruling, Extension):
            last[each.student, each.lab, False] = _exemption(
                each, until=each.ruling.until, days=each.ruling.days
            )
        elif isinstance(each.ruling, Excuse | Override):
            excused = isinstance(each.ruling, Excuse)
            last[each.student, each.lab, True] = _exemption(each, excused=True) if excused else None
    found: dict[str, tuple[Exemption, ...]] = defaultdict(tuple)
    for (student, _, _), exemption in last.items():
        if exemption is not None:
            found[student] += (exemption,)
    return found


def _exemption(
    decision: Decision, *, until: datetime | None = None, days: int = 0, excused: bool = False
) -> Exemption:
    return Exemption(
        scope=Scope.STUDENT,
        name=decision.student,
        lab=decision.lab,
        due=until,
        days=days,
        excused=excused,
        reason=decision.why,
        by=decision.who,
    )
