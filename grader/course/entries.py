"""What each person of the course gets in a gradebook for one lab."""

from collections.abc import Iterator

from grader.course.language import spoken
from grader.course.records import Records, Result
from grader.course.workspace import Workspace
from grader.lms.gradebooks import Entry
from grader.lms.words import System
from grader.report import feedback_text
from grader.report.redact import redact
from grader.report.summary import has_score
from grader.store.people import Person


def entries(workspace: Workspace, records: Records, lab: str, language: str | None) -> tuple[Entry, ...]:
    """An entry for everybody in the roster, and for everybody with a result of ``lab``.

    Feedback is in ``language``, by default in each person's own. Raises: ``UserError`` for an unknown lab.
    """
    most = workspace.registry.get(lab).manifest.rubric.max_score
    results = {each.score.key.student: each for each in records.latest_all([lab])}
    people = {person.id: person for person in records.store.people.list()}
    return tuple(_entries(workspace, people, results, most, language))


def _entries(
    workspace: Workspace,
    people: dict[str, Person],
    results: dict[str, Result],
    most: float,
    language: str | None,
) -> Iterator[Entry]:
    for student in sorted({*people, *results}):
        person, result = people.get(student, Person(id=student)), results.get(student)
        chosen = spoken(
            language or person.language or None, workspace.config, student=student, terminal=False
        ).language
        report = None if result is None else result.report
        yield Entry(
            student=student,
            name=person.name,
            email=person.email,
            ids=_ids(person),
            points=report.score if report is not None and has_score(report) else None,
            max_points=most if report is None else report.max_score,
            excused=report is not None and report.is_excused,
            feedback=() if report is None else feedback_text.brief(redact(report), chosen),
        )


def _ids(person: Person) -> dict[System, tuple[str, ...]]:
    systems = {each.system for each in person.ids}
    return {
        System(system): tuple(each.value for each in person.ids if each.system == system)
        for system in systems
    }
