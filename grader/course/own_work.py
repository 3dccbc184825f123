"""One student's own work, read once for the pages that show it: the rules that hold, grades and attempts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from grader.course.course_labs import student_labs
from grader.course.gradebook import grades_of
from grader.course.records import Records
from grader.course.rules import course_of
from grader.course.standing import Standing, labs_of, standing
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.policy.grade import CountedGrade
from grader.policy.rules import Course
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnWork:
    """What holds for ``person`` in each of the ``labs`` that students see, and what their work counts."""

    course: Course
    person: Person
    labs: tuple[str, ...]
    standings: Mapping[str, Standing]
    grades: Mapping[str, CountedGrade]


def own_work(workspace: Workspace, records: Records, student: str, now: datetime, *others: str) -> OwnWork:
    """The work of ``student`` in the labs of the course and in ``others``. Raises: ``UserError``."""
    course = course_of(workspace)
    person = records.store.people.find(student) or Person(id=student)
    shown = student_labs(workspace, course)
    labs = labs_of(course, *shown, *others)
    works = Works(workspace, records, student)
    theirs = works.of(student, labs)
    return OwnWork(
        course=course,
        person=person,
        labs=shown,
        standings={lab: standing(course, person, theirs, lab, now) for lab in labs},
        grades=grades_of(works, course, person, labs, now).grades,
    )
