"""Change the file of the course: see what other rules would do to the class first."""

from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.gradebook import StudentGrades, grades_of, labs_of
from grader.course.records import Records
from grader.course.rules import course_path
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.digests import value_digest
from grader.errors import UserError
from grader.policy.course_file import FILE_NAME, course_in
from grader.policy.grade import CountedGrade
from grader.report.files import write_atomically
from grader.store.values import Event, EventKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesText:
    """The text of the file, and its ``digest``, by which a later change of it is noticed."""

    text: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeChange:
    """One grade under the rules of now and under others."""

    student: str
    lab: str
    before: CountedGrade
    after: CountedGrade


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesEffect:
    """What a text would do: its ``mistakes``, each one line, or the grades that change."""

    mistakes: tuple[str, ...] = ()
    changes: tuple[GradeChange, ...] = ()


def rules_text(workspace: Workspace) -> RulesText:
    """The file that applies; empty if there is none."""
    path = course_path(workspace)
    text = "" if path is None else path.read_text("utf-8-sig")
    return RulesText(text=text, digest=value_digest(text))


def rules_effect(workspace: Workspace, text: str) -> RulesEffect:
    """What ``text`` would do; nothing is stored. Raises: ``UserError`` if it is no TOML."""
    read = course_in(text, workspace.registry.labs)
    if read.mistakes:
        return RulesEffect(mistakes=read.mistakes)
    with Records(workspace) as records:
        before = workspace.class_grades.current(records)
        works = Works(workspace, records)
        now = datetime.now(UTC)
        labs = labs_of(read.course, works.labs)
        found = [
            change
            for standing in before.students
            for change in _changes(
                standing.grades,
                grades_of(works, read.course, standing.grades.person, labs, now),
            )
        ]
    return RulesEffect(changes=tuple(found))


def change_rules(workspace: Workspace, text: str, *, seen: str, who: str) -> None:
    """Write ``text`` as the file of the course.

    Raises: ``UserError`` for a mistake in it, or if the file is not the one with the digest ``seen`` any more.
    """
    read = course_in(text, workspace.registry.labs)
    if read.mistakes:
        raise UserError(read.mistakes[0])
    if rules_text(workspace).digest != seen:
        msg = f"Another person has changed {FILE_NAME} since you opened this page."
        raise UserError(msg, hint="Open the page again and repeat your change.")
    path = course_path(workspace) or workspace.config.base / FILE_NAME
    write_atomically(path, text.replace("\r\n", "\n").encode())
    with Records(workspace) as records:
        records.store.events.add(
            Event(kind=EventKind.CONFIGURED, at=datetime.now(UTC), who=who, detail=FILE_NAME)
        )


def _changes(before: StudentGrades, after: StudentGrades) -> list[GradeChange]:
    return [
        GradeChange(student=before.person.id, lab=lab, before=before.grades[lab], after=grade)
        for lab, grade in after.grades.items()
        if lab in before.grades
        and (before.grades[lab].points, before.grades[lab].max_points) != (grade.points, grade.max_points)
    ]
