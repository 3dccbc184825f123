"""The grades of a whole class, kept between the requests of a server: only what changed is counted again."""

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from grader.course.gradebook import StudentGrades, grades_of, labs_of
from grader.course.publish import EVERYBODY
from grader.course.records import Records
from grader.course.rules import course_of, course_path, stamp_of
from grader.course.works import Works
from grader.model.text import natural_key
from grader.model.verdict import Verdict
from grader.policy.rules import Course
from grader.store.people import Person

if TYPE_CHECKING:
    from grader.course.workspace import Workspace

_Revisions = Mapping[str, tuple[int, int]]

_AT_ONCE = 20
"""If more students than this changed, everything is read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentState:
    """One student's ``grades`` and, by lab, what staff look at besides: the verdict on the work that counts.

    Without work that counts it is that on the newest; ``None``: nothing is graded. ``flagged`` are the labs with a flag
    without a review, ``asked`` those with an unanswered request.
    """

    grades: StudentGrades
    verdicts: Mapping[str, Verdict | None]
    flagged: frozenset[str]
    asked: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassState:
    """Everybody by section and id, the ``labs`` in the order of the course, and a ``revision`` of what is stored."""

    course: Course
    labs: tuple[str, ...]
    students: tuple[StudentState, ...]
    revision: str


class ClassGrades:
    """The students of one workspace; threads may share it."""

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace
        self._lock = threading.Lock()
        self._rules: tuple[object, Course] | None = None
        self._seen: _Revisions = {}
        self._labs: tuple[str, ...] = ()
        self._students: dict[str, StudentState] = {}

    def current(self, records: Records) -> ClassState:
        """The students by all that is stored now. Raises: ``UserError`` for a mistake in the course file."""
        with self._lock:
            stamp, course = self._read_rules()
            # Read first: what is stored after that is counted again the next time.
            revisions = records.store.events.revisions()
            people = {each.id: each for each in records.store.people.list()}
            changed = {student for student, seen in revisions.items() if self._seen.get(student) != seen}
            changed |= self._seen.keys() - revisions.keys()
            new_rules = self._rules is None or self._rules[0] != stamp
            if new_rules or EVERYBODY in changed or len(changed) > _AT_ONCE:
                self._count_all(records, course, people)
            else:
                self._count(records, course, people, changed)
            self._rules, self._seen = (stamp, course), revisions
            return ClassState(
                course=course,
                labs=self._labs,
                students=tuple(sorted(self._students.values(), key=_order)),
                revision=f"{stamp} {max(revisions.values(), default=0)} {sum(n for _, n in revisions.values())}",
            )

    def _read_rules(self) -> tuple[object, Course]:
        path = course_path(self._workspace)
        stamp = None if path is None else stamp_of(path)
        if self._rules is not None and self._rules[0] == stamp:
            return self._rules
        return stamp, course_of(self._workspace)

    def _count_all(self, records: Records, course: Course, people: Mapping[str, Person]) -> None:
        works = Works(self._workspace, records)
        self._labs = labs_of(course, works.labs)
        self._students = dict(self._counted(works, course, people, {*people, *works.students}))

    def _count(
        self, records: Records, course: Course, people: Mapping[str, Person], changed: Iterable[str]
    ) -> None:
        for student in changed:
            works = Works(self._workspace, records, student)
            if not works.labs <= set(self._labs):
                # A lab without submissions is a column of every student.
                self._count_all(records, course, people)
                return
            self._students.pop(student, None)
            if student in people or student in works.students:
                self._students |= self._counted(works, course, people, [student])

    def _counted(
        self, works: Works, course: Course, people: Mapping[str, Person], students: Collection[str]
    ) -> Iterable[tuple[str, StudentState]]:
        now = datetime.now(UTC)
        for student in students:
            grades = grades_of(works, course, people.get(student, Person(id=student)), self._labs, now)
            yield student, _standing(works, grades)


def _standing(works: Works, found: StudentGrades) -> StudentState:
    student = found.person.id
    return StudentState(
        grades=found,
        verdicts={
            lab: works.verdict(student, lab, None if grade.kept is None else grade.kept.submission)
            for lab, grade in found.grades.items()
        },
        flagged=frozenset(lab for lab in found.grades if works.awaits_review(student, lab)),
        asked=frozenset(lab for lab in found.grades if works.awaits_answer(student, lab)),
    )


def _order(standing: StudentState) -> tuple[object, ...]:
    person = standing.grades.person
    return natural_key(person.section), natural_key(person.id)
