"""What each person of the course gets in a gradebook for one lab."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.course.gradebook import student_grades
from grader.course.language import for_reader
from grader.course.records import Records, Result
from grader.course.rules import course_of
from grader.course.workspace import Workspace
from grader.lms.gradebooks import Entry
from grader.lms.words import System
from grader.messages import Speech
from grader.model.reason import Reason
from grader.policy.grade import CountedGrade
from grader.report import feedback_text
from grader.report.redact import redact
from grader.report.text import MESSAGE_LIMIT, safe_text
from grader.store.people import Person

_ABOUT_VISIBILITY = frozenset({"counted-not-published", "counted-hidden-until"})
"""Steps that say when the student may see the grade: by then it is in the other system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonGrade:
    """What one person's work on a lab counts, and the result of the newest graded work, if there is one."""

    person: Person
    grade: CountedGrade
    result: Result | None


def person_grades(workspace: Workspace, records: Records, lab: str) -> tuple[PersonGrade, ...]:
    """Everybody in the roster, and everybody who submitted to ``lab``; by id. Raises: ``UserError`` for no such lab."""
    workspace.registry.get(lab)
    results = {each.score.key.student: each for each in records.latest_all([lab])}
    roster = {person.id for person in records.store.people.list()}
    graded = student_grades(workspace, records, course_of(workspace), datetime.now(UTC), [lab])
    return tuple(
        PersonGrade(person=each.person, grade=each.grades[lab], result=results.get(each.person.id))
        for each in sorted(graded, key=lambda each: each.person.id)
        if each.person.id in {*roster, *results} or each.grades[lab].kept is not None
    )


def entries(workspace: Workspace, records: Records, lab: str, language: str | None) -> tuple[Entry, ...]:
    """The entries of ``lab``. Feedback is in ``language``, by default in each person's own.

    Raises: ``UserError`` for an unknown lab.
    """
    spoken = course_of(workspace).language
    return tuple(_entries(workspace, person_grades(workspace, records, lab), language, spoken))


def _entries(
    workspace: Workspace, grades: tuple[PersonGrade, ...], language: str | None, spoken: str
) -> Iterator[Entry]:
    for each in grades:
        person, grade = each.person, each.grade
        chosen = for_reader(language, workspace.config, person.id, person.language or spoken)
        yield Entry(
            student=person.id,
            name=person.name,
            email=person.email,
            ids=_ids(person),
            points=grade.points,
            max_points=grade.max_points,
            excused=grade.excused,
            feedback=_feedback(each, chosen),
        )


def _feedback(each: PersonGrade, language: str) -> tuple[str, ...]:
    """How the grade comes about, and the newest result in brief."""
    speech = Speech(language)
    steps = (
        safe_text(speech(_for_student(step)), MESSAGE_LIMIT)
        for step in each.grade.explanation
        if step.code not in _ABOUT_VISIBILITY
    )
    return (
        *steps,
        *(() if each.result is None else feedback_text.brief(redact(each.result.report), language)),
    )


def _for_student(step: Reason) -> Reason:
    """``step`` without the note of who decided and why, which is for staff."""
    return replace(step, params={**step.params, "note": None}) if "note" in step.params else step


def _ids(person: Person) -> dict[System, tuple[str, ...]]:
    systems = {each.system for each in person.ids}
    return {
        System(system): tuple(each.value for each in person.ids if each.system == system)
        for system in systems
    }
