"""What each person of the course gets in a gradebook for one lab."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.course.language import for_reader
from grader.course.records import Records, Result
from grader.course.workspace import Workspace
from grader.lms.gradebooks import Entry
from grader.lms.words import System
from grader.policy.grade import CountedGrade
from grader.report import feedback_text
from grader.report.redact import redact
from grader.report.summary import has_score
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonGrade:
    """What one person's work on a lab counts, and the result of the newest graded work, if there is one."""

    person: Person
    grade: CountedGrade
    result: Result | None


def person_grades(workspace: Workspace, records: Records, lab: str) -> tuple[PersonGrade, ...]:
    """Everybody in the roster, and everybody with a result of ``lab``; by id. Raises: ``UserError`` for no such lab."""
    most = workspace.registry.get(lab).manifest.rubric.max_score
    results = {each.score.key.student: each for each in records.latest_all([lab])}
    people = {person.id: person for person in records.store.people.list()}
    return tuple(
        PersonGrade(
            person=people.get(student, Person(id=student)),
            grade=_graded(student, lab, most, results.get(student)),
            result=results.get(student),
        )
        for student in sorted({*people, *results})
    )


def entries(workspace: Workspace, records: Records, lab: str, language: str | None) -> tuple[Entry, ...]:
    """The entries of ``lab``. Feedback is in ``language``, by default in each person's own.

    Raises: ``UserError`` for an unknown lab.
    """
    return tuple(_entries(workspace, person_grades(workspace, records, lab), language))


def _graded(student: str, lab: str, most: float, result: Result | None) -> CountedGrade:
    """The newest result as it was scored and decided."""
    report = None if result is None else result.report
    points = report.score if report is not None and has_score(report) else None
    adjusted = report is not None and report.adjustment is not None
    return CountedGrade(
        person=student,
        lab=lab,
        points=points,
        max_points=most if report is None else report.max_score,
        raw_points=report.adjustment.score
        if report is not None and report.adjustment is not None
        else points,
        excused=report is not None and report.is_excused,
        override=adjusted and points is not None,
    )


def _entries(workspace: Workspace, grades: tuple[PersonGrade, ...], language: str | None) -> Iterator[Entry]:
    for each in grades:
        person, grade = each.person, each.grade
        chosen = for_reader(language, workspace.config, person.id, person.language)
        yield Entry(
            student=person.id,
            name=person.name,
            email=person.email,
            ids=_ids(person),
            points=grade.points,
            max_points=grade.max_points,
            excused=grade.excused,
            feedback=() if each.result is None else feedback_text.brief(redact(each.result.report), chosen),
        )


def _ids(person: Person) -> dict[System, tuple[str, ...]]:
    systems = {each.system for each in person.ids}
    return {
        System(system): tuple(each.value for each in person.ids if each.system == system)
        for system in systems
    }
