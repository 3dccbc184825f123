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
from grader.course.works import ENDED, Works
from grader.digests import value_digest
from grader.model.text import natural_key
from grader.model.verdict import Verdict
from grader.policy.rules import Course, Scores
from grader.store.people import Person

if TYPE_CHECKING:
    from grader.course.workspace import Workspace

_Revisions = Mapping[str, tuple[int, ...]]

_SHARE = 0.5
"""If more than this share of the students changed, everything is read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentState:
    """One student's ``grades`` and, by lab, what staff look at besides: the verdict on the work that counts.

    Without work that counts it is that on the newest; ``None``: nothing is graded. ``flagged`` are the labs with a flag
    without a review, ``asked`` those with an unanswered request. ``until``: when a due date next opens a score to the
    student.
    """

    grades: StudentGrades
    verdicts: Mapping[str, Verdict | None]
    flagged: frozenset[str]
    asked: frozenset[str]
    until: datetime | None = None


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
        self._people: Mapping[str, Person] = {}
        self._students: dict[str, StudentState] = {}
        self._ordered: tuple[StudentState, ...] = ()

    def current(self, records: Records) -> ClassState:
        """The students by all that is stored now. Raises: ``UserError`` for a mistake in the course file."""
        with self._lock:
            stamp, course = self._read_rules()
            # Read first: what is stored after that is counted again the next time.
            revisions = _revisions(records)
            changed = {student for student, seen in revisions.items() if self._seen.get(student) != seen}
            changed |= self._seen.keys() - revisions.keys()
            now = datetime.now(UTC)
            changed |= {
                student for student, each in self._students.items() if each.until and each.until < now
            }
            new_rules = self._rules is None or self._rules[0] != stamp
            if new_rules or EVERYBODY in changed or len(changed) > _SHARE * len(self._students):
                self._count_all(records, course)
            elif changed:
                self._count(records, course, frozenset(changed))
            self._rules, self._seen = (stamp, course), revisions
            return ClassState(
                course=course,
                labs=self._labs,
                students=self._ordered,
                revision=value_digest((stamp, sorted(revisions.items()))),
            )

    def _read_rules(self) -> tuple[object, Course]:
        path = course_path(self._workspace)
        stamp = None if path is None else stamp_of(path)
        if self._rules is not None and self._rules[0] == stamp:
            return self._rules
        return stamp, course_of(self._workspace)

    def _count_all(self, records: Records, course: Course) -> None:
        works = Works(self._workspace, records)
        self._people = _people(records)
        self._labs = labs_of(course, works.labs)
        self._students = dict(self._counted(works, course, {*self._people, *works.students}))
        self._ordered = tuple(sorted(self._students.values(), key=_order))

    def _count(self, records: Records, course: Course, changed: frozenset[str]) -> None:
        works = Works(self._workspace, records, changed)
        if not works.labs <= set(self._labs):
            # A lab without submissions is a column of every student.
            self._count_all(records, course)
            return
        self._people = _people(records)
        kept = {student: each for student, each in self._students.items() if student not in changed}
        there = changed & {*self._people, *works.students}
        self._students = kept | dict(self._counted(works, course, there))
        self._ordered = tuple(sorted(self._students.values(), key=_order))

    def _counted(
        self, works: Works, course: Course, students: Collection[str]
    ) -> Iterable[tuple[str, StudentState]]:
        now = datetime.now(UTC)
        for student in students:
            person = self._people.get(student, Person(id=student))
            yield student, _standing(works, course, grades_of(works, course, person, self._labs, now))


def _revisions(records: Records) -> _Revisions:
    """A value for each student that differs after each change of what they are counted by."""
    events = records.store.events.revisions()
    ended = records.store.jobs.revisions(ENDED)
    return {student: (*seen, *ended.get(student, ())) for student, seen in events.items()}


def _people(records: Records) -> Mapping[str, Person]:
    return {each.id: each for each in records.store.people.list()}


def _standing(works: Works, course: Course, found: StudentGrades) -> StudentState:
    student = found.person.id
    return StudentState(
        grades=found,
        verdicts={
            lab: works.verdict(student, lab, None if grade.kept is None else grade.kept.submission)
            for lab, grade in found.grades.items()
        },
        flagged=frozenset(lab for lab in found.grades if works.awaits_review(student, lab)),
        asked=frozenset(lab for lab in found.grades if works.awaits_answer(student, lab)),
        until=min(
            (
                grade.due + course.rule(lab).grace
                for lab, grade in found.grades.items()
                if grade.due is not None and not grade.visible and course.rule(lab).scores is Scores.AFTER_DUE
            ),
            default=None,
        ),
    )


def _order(standing: StudentState) -> tuple[object, ...]:
    person = standing.grades.person
    return natural_key(person.section), natural_key(person.id)
