"""The rows of the class matrix, kept between requests: one is made again when something in it may have changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.course.class_grades import ClassState, StudentState
from grader.course.matrix_cells import Cell, Mark, OpenJobs, Word, cell_of
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One student. ``points`` is the sum over the labs, ``percent`` the total of the course; ``None``: none.

    ``words`` and ``marks`` are those of any of the ``cells``.
    """

    person: Person
    cells: tuple[Cell, ...]
    points: float
    percent: float | None
    words: tuple[Word, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A row with all that it was made of. ``until``: the next due date, which may turn nothing into missing work."""

    row: MatrixRow
    standing: StudentState
    jobs: tuple[frozenset[str], frozenset[str]]
    made_at: datetime
    until: datetime | None

    def holds(
        self, standing: StudentState, jobs: tuple[frozenset[str], frozenset[str]], now: datetime
    ) -> bool:
        """Whether the row is right for these at ``now``."""
        is_same = self.standing is standing and self.jobs == jobs
        return is_same and self.made_at <= now and (self.until is None or now <= self.until)


class MatrixRows:
    """The rows that were made last, by student; threads may share it."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def of(self, state: ClassState, jobs: OpenJobs, now: datetime) -> tuple[MatrixRow, ...]:
        """A row for each student of ``state``. One that did not change is the same object as before."""
        kept = self._kept
        found = {each.grades.person.id: _kept(kept, each, state.labs, jobs, now) for each in state.students}
        self._kept = found
        return tuple(each.row for each in found.values())


def _kept(
    kept: dict[str, _Kept], standing: StudentState, labs: Sequence[str], jobs: OpenJobs, now: datetime
) -> _Kept:
    student = standing.grades.person.id
    theirs = jobs.of_student(student)
    former = kept.get(student)
    if former is not None and former.holds(standing, theirs, now):
        return former
    cells = tuple(cell_of(standing, lab, jobs, now) for lab in labs)
    row = MatrixRow(
        person=standing.grades.person,
        cells=cells,
        points=sum(cell.points or 0.0 for cell in cells),
        percent=standing.grades.total,
        words=tuple(sorted({cell.word for cell in cells if cell.word is not None})),
        marks=tuple(sorted({mark for cell in cells for mark in cell.marks})),
    )
    dates = (grade.due for grade in standing.grades.grades.values())
    until = min((due for due in dates if due is not None and due >= now), default=None)
    return _Kept(row=row, standing=standing, jobs=theirs, made_at=now, until=until)
