"""The gradebook: what the work of each student on each lab counts by the rules of the course, and why."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.course.former import former_overrides
from grader.course.records import Records
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.reason import Reason
from grader.model.text import natural_key, printable
from grader.policy.counting import count_all, total
from grader.policy.grade import CountedGrade
from grader.policy.rules import Course, Keep
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentGrades:
    """One student's grades by lab. ``total`` is the weighted percentage, ``grade`` what the course gives for it.

    ``None``: nothing counts.
    """

    person: Person
    grades: Mapping[str, CountedGrade]
    total: float | None
    grade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradebook:
    """The grades of a course for ``labs``, by section and student."""

    title: str
    labs: tuple[str, ...]
    students: tuple[StudentGrades, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One grade, and remarks for staff that are no part of its explanation."""

    grade: CountedGrade
    remarks: tuple[Reason, ...]


def gradebook(
    workspace: Workspace,
    course: Course,
    *,
    labs: Collection[str] = (),
    students: Collection[str] = (),
    sections: Collection[str] = (),
) -> Gradebook:
    """The grades now, of everybody in the roster and everybody who submitted, or of those named.

    The total is over all labs of the course, whichever are shown. Raises: ``UserError`` for an unknown lab or student.
    """
    for lab in labs:
        workspace.registry.get(lab)
    with Records(workspace) as records:
        everybody = student_grades(workspace, records, course, datetime.now(UTC))
    _require_known(students, {each.person.id for each in everybody})
    shown = [
        each
        for each in everybody
        if (not students or each.person.id in students) and (not sections or each.person.section in sections)
    ]
    all_labs = tuple(everybody[0].grades) if everybody else ()
    return Gradebook(
        title=course.title,
        labs=tuple(lab for lab in all_labs if not labs or lab in labs),
        students=tuple(shown),
    )


def explained(workspace: Workspace, course: Course, student: str, lab: str) -> Explained:
    """How the grade of ``student`` in ``lab`` comes about. Raises: ``UserError`` for an unknown student or lab."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        everybody = student_grades(workspace, records, course, datetime.now(UTC))
        _require_known([student], {each.person.id for each in everybody})
        (found,) = (each for each in everybody if each.person.id == student)
        if lab not in found.grades:
            msg = f"Nobody submitted to {lab} yet."
            raise UserError(msg, hint="See the labs with `grader gradebook`.")
        score = records.store.scores.latest(student, lab)
        remarks = () if score is None else former_overrides(records, [score])
    return Explained(grade=found.grades[lab], remarks=remarks)


def student_grades(  # noqa: PLR0913, PLR0917 - what is counted, and of whom
    workspace: Workspace,
    records: Records,
    course: Course,
    now: datetime,
    also: Collection[str] = (),
    students: Collection[str] = (),
) -> tuple[StudentGrades, ...]:
    """The grades of everybody, or of ``students``, by the rules of ``course``, by section and student.

    The labs are those of the course, those that anybody submitted to, and ``also`` these.
    """
    works = Works(workspace, records)
    people = {each.id: each for each in records.store.people.list()}
    labs = labs_of(course, {*works.labs, *also})
    chosen = set(students) or {*people, *works.students}
    everybody = [people.get(student, Person(id=student)) for student in chosen]
    everybody.sort(key=lambda person: (natural_key(person.section), natural_key(person.id)))
    return tuple(grades_of(works, course, person, labs, now) for person in everybody)


def labs_of(course: Course, others: Collection[str]) -> tuple[str, ...]:
    """The labs of ``course`` in its order, then ``others``."""
    return tuple(dict.fromkeys((*course.labs, *sorted(others, key=natural_key))))


def grades_of(
    works: Works, course: Course, person: Person, labs: Collection[str], now: datetime
) -> StudentGrades:
    """The grades of ``person`` in ``labs``, which must be all of theirs: late days are shared out over them."""
    """The grades of ``person`` in ``labs``, which must be all of the course: late days are shared out over them."""
    student = course.student(person.id, person.section, person.groups, person.labels)
    theirs = works.of(person.id, labs)
    grades = count_all(course, student, theirs.works, now, theirs.exemptions)
    better = {
        lab: replace(theirs.works[lab], override=override)
        for lab, override in theirs.former.items()
        if course.rule(lab).keep is Keep.BEST and not grades[lab].excused
    }
    with_former = (
        count_all(course, student, {**theirs.works, **better}, now, theirs.exemptions) if better else {}
    )
    # Points that staff gave to former work are its points: newer work lowers no best.
    grades |= {lab: with_former[lab] for lab in better if _points(with_former[lab]) > _points(grades[lab])}
    percent = total(grades.values(), course)
    return StudentGrades(person=person, grades=grades, total=percent, grade=course.grade(percent))


def _points(grade: CountedGrade) -> float:
    return 0.0 if grade.points is None else grade.points


def _require_known(students: Collection[str], known: Collection[str]) -> None:
    unknown = sorted(set(students) - set(known))
    if unknown:
        msg = f"There is no student {printable(unknown[0])}."
        raise UserError(msg, hint="Check the spelling; `grader gradebook` lists everybody.")
