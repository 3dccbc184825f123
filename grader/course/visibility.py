"""What a student may see now of their own scores: the course says whether at once, after the due date, or later."""

from collections.abc import Collection
from datetime import UTC, datetime

from grader.course.gradebook import student_grades
from grader.course.records import Records
from grader.course.rules import course_of
from grader.course.workspace import Workspace


def visible_scores(
    workspace: Workspace, records: Records, labs: Collection[str] = (), students: Collection[str] = ()
) -> frozenset[tuple[str, str]]:
    """Each student and lab with a score that the student may see, of ``students`` if any are named.

    ``labs`` are those that count besides the labs of the course and those with submissions.
    """
    course = course_of(workspace)
    everybody = student_grades(workspace, records, course, datetime.now(UTC), labs, students)
    return frozenset(
        (each.person.id, lab) for each in everybody for lab, grade in each.grades.items() if grade.visible
    )
