"""The gradebook as the document that files and terminals show."""

from datetime import UTC, datetime

from grader import __version__
from grader.course.gradebook import Gradebook, StudentGrades
from grader.messages import ENGLISH
from grader.policy.grade import CountedGrade
from grader.report.gradebook import SCHEMA_VERSION, Grade, GradebookDocument, Student


def gradebook_document(found: Gradebook) -> GradebookDocument:
    """``found`` as it is now."""
    return GradebookDocument(
        schema_version=SCHEMA_VERSION,
        grader_version=__version__,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        course=found.title,
        labs=found.labs,
        students=tuple(_student(each, found.labs) for each in found.students),
    )


def _student(found: StudentGrades, labs: tuple[str, ...]) -> Student:
    person = found.person
    return Student(
        id=person.id,
        name=person.name,
        email=person.email,
        section=person.section,
        total=found.total,
        grade=found.grade,
        grades=tuple(_grade(found.grades[lab]) for lab in labs),
    )


def _grade(counted: CountedGrade) -> Grade:
    return Grade(
        lab=counted.lab,
        points=counted.points,
        max_points=counted.max_points,
        raw_points=counted.raw_points,
        penalty=counted.penalty,
        late_seconds=counted.late_seconds,
        late_days=counted.late_days,
        attempt=None if counted.kept is None else counted.kept.number,
        excused=counted.excused,
        override=counted.override,
        visible=counted.visible,
        explanation=tuple(map(ENGLISH, counted.explanation)),
    )
