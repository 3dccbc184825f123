"""Show the rules that hold: of every lab, or of a student and lab in one sentence; and who is missing."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.config.wording import nearest
from grader.course.known_student import unknown_student
from grader.course.records import Records
from grader.course.rules import course_file, moment
from grader.course.standing import standing
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.reason import Reason, as_written, first_of, reason
from grader.model.text import printable
from grader.policy.course_file import CourseFile
from grader.policy.holding import Holding, holding
from grader.policy.rules import Course, Exemption
from grader.policy.sentence import sentence
from grader.store.people import Person

_SHOWN = 5
"""The most people that a message names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabState:
    """The rule of a lab now, and the ids of those of the ``expected`` students who have not submitted."""

    lab: str
    rule: Reason
    missing: tuple[str, ...]
    expected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A course file that was checked: its ``mistakes``, what is odd about it, and, without mistakes, its labs.

    ``language`` is that of the course; empty: as configured.
    """

    file: str
    language: str = ""
    mistakes: tuple[str, ...] = ()
    warnings: tuple[Reason, ...] = ()
    labs: tuple[LabState, ...] = ()


def check_course(workspace: Workspace, at: str | None = None) -> Checked:
    """Check the file of the course; its rules are those ``at`` a time, or now.

    Raises: ``UserError`` if there is none, or it cannot be read.
    """
    read = course_file(workspace)
    if read.mistakes:
        return Checked(file=read.table.file, mistakes=read.mistakes)
    now = _time(read.course, at)
    with Records(workspace) as records:
        people = records.store.people.list()
        works = Works(workspace, records)
    return Checked(
        file=read.table.file,
        language=read.course.language,
        warnings=_strangers(read, people, works.students),
        labs=tuple(_state(read.course, people, works, lab, now) for lab in read.course.labs),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """The rule that holds for a student and lab, in one sentence; ``language`` as in ``Checked``."""

    rule: Reason
    language: str


def rule_of(workspace: Workspace, student: str, lab: str, at: str | None = None) -> Ruled:
    """The rule that holds for ``student`` and ``lab`` now, or ``at`` a time, in one sentence.

    Raises: ``UserError`` for a lab that the course does not have, a student whom nothing knows, or a broken file.
    """
    read = course_file(workspace)
    if read.mistakes:
        raise UserError(read.mistakes[0])
    if lab not in read.course.labs:
        raise _no_lab(lab, read.course.labs)
    now = _time(read.course, at)
    with Records(workspace) as records:
        people = {each.id: each for each in records.store.people.list()}
        works = Works(workspace, records)
    if people and student not in people and student not in works.students:
        raise unknown_student(student, people.values())
    person = people.get(student, Person(id=student))
    theirs = works.of(person.id, read.course.labs)
    rule = standing(read.course, person, theirs, lab, now).rule
    return Ruled(rule=rule, language=read.course.language)


def _time(course: Course, at: str | None) -> datetime:
    return datetime.now(UTC) if at is None else moment(course, "--at", at)


def _held(course: Course, person: Person, lab: str, decided: Collection[Exemption]) -> Holding:
    student = course.student(person.id, person.section, person.groups, person.labels)
    return holding(course, student, lab, decided)


def _state(course: Course, people: Collection[Person], works: Works, lab: str, now: datetime) -> LabState:
    theirs = {each.id: works.of(each.id, [lab]) for each in people}
    expected = [
        each.id for each in people if _held(course, each, lab, theirs[each.id].exemptions).excused is None
    ]
    rule = course.labs[lab]
    opened = rule.opens is None or rule.opens <= now
    missing = [name for name in expected if opened and not theirs[name].works[lab].attempts]
    anybody = holding(course, course.student(""), lab)
    return LabState(
        lab=lab,
        rule=sentence(anybody, now, late_days_left=min(rule.late_days, course.late_days)),
        missing=tuple(missing),
        expected=len(expected),
    )


def _strangers(read: CourseFile, people: Collection[Person], students: Collection[str]) -> tuple[Reason, ...]:
    """Nothing without a roster: then nobody is known."""
    if not people:
        return ()
    groups = {group for each in people for group in each.groups}
    labels = {label for each in people for label in each.labels}
    lines = read.strangers({each.id for each in people}, groups, labels)
    unlisted = sorted(set(students) - {each.id for each in people})
    submitted = [
        reason(
            "roster-unlisted", count=len(unlisted), people=first_of(tuple(map(printable, unlisted)), _SHOWN)
        )
    ]
    return (*map(as_written, lines), *_sections(read.course, people), *(submitted if unlisted else ()))


def _sections(course: Course, people: Collection[Person]) -> list[Reason]:
    """A warning for each section of the roster that a course with sections does not have."""
    if not course.sections:
        return []
    found = {each.section for each in people if each.section} - set(course.sections)
    return [reason("roster-section", section=name) for name in sorted(found)]


def _no_lab(name: str, known: Collection[str]) -> UserError:
    near = nearest(name, known)
    return UserError(
        f"The course has no lab {printable(name)}.",
        hint=f"Did you mean {near}?" if near else f"It has {', '.join(known)}.",
    )
