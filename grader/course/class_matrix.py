"""The class as a matrix: a number where work is fine, a word where it is not."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from statistics import median
from typing import TypeVar

from grader.course.class_grades import ClassState, StudentState
from grader.course.matrix_cells import Cell, Mark, OpenJobs, Word, cell_of
from grader.course.queue import UNFINISHED
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.digests import value_digest
from grader.model.text import natural_key
from grader.store.people import Person

_T = TypeVar("_T", bound=StrEnum)

_MINUTE = 60


class Sort(StrEnum):
    """What rows are sorted by; a lab's own name sorts by its points."""

    NAME = "name"
    SECTION = "section"
    SUM = "sum"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixFilter:
    """Which rows to show, and in which order; an empty field excludes nothing.

    ``word`` and ``mark`` look at the cells of ``lab``, or at all. ``sort``: a ``Sort`` or a lab; ``-`` before it turns
    it round.
    """

    search: str = ""
    section: str = ""
    lab: str = ""
    word: Word | None = None
    mark: Mark | None = None
    sort: str = Sort.NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One student. ``points`` is the sum over the labs, ``percent`` the total of the course; ``None``: none."""

    person: Person
    cells: tuple[Cell, ...]
    points: float
    percent: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabColumn:
    """A lab: how many points it gives, its due date, and the median of those who have points."""

    name: str
    max_points: float
    due: datetime | None
    median: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMatrix:
    """The rows that a filter takes. ``students`` counts those of search and section, whatever their words and marks.

    ``words`` and ``marks`` count the students with such a cell among them; ``looks`` is how many need a look.
    """

    title: str
    labs: tuple[LabColumn, ...]
    rows: tuple[MatrixRow, ...]
    sections: tuple[str, ...]
    students: int
    looks: int
    words: Mapping[Word, int]
    marks: Mapping[Mark, int]

    @property
    def max_points(self) -> float:
        """What all labs give."""
        return sum(lab.max_points for lab in self.labs)


def matrix_tag(workspace: Workspace, now: datetime) -> str:
    """A tag that stays the same while the matrix does, for up to a minute."""
    with Records(workspace) as records:
        state = workspace.class_grades.current(records)
        jobs = [(job.id, job.state.value) for job in records.store.jobs.list(UNFINISHED)]
    return value_digest((state.revision, jobs, int(now.timestamp()) // _MINUTE))


def class_matrix(workspace: Workspace, wanted: MatrixFilter, now: datetime) -> ClassMatrix:
    """The matrix at ``now``. Raises: ``UserError`` for a mistake in the course file."""
    with Records(workspace) as records:
        state = workspace.class_grades.current(records)
        jobs = OpenJobs.of(records.store.jobs.list(UNFINISHED))
    everybody = [_row(each, state.labs, jobs, now) for each in state.students]
    found = [row for row in everybody if _is_found(row.person, wanted)]
    shown = [row for row in found if _has(row, wanted)]
    return ClassMatrix(
        title=state.course.title,
        labs=_columns(state, everybody),
        rows=tuple(_sorted(shown, wanted.sort, state.labs)),
        sections=tuple(sorted({row.person.section for row in everybody} - {""}, key=natural_key)),
        students=len(found),
        looks=sum(any(cell.word is Word.LOOK for cell in row.cells) for row in everybody),
        words=_count(found, wanted.lab, Word, lambda cell: (cell.word,)),
        marks=_count(found, wanted.lab, Mark, lambda cell: cell.marks),
    )


def _row(standing: StudentState, labs: Sequence[str], jobs: OpenJobs, now: datetime) -> MatrixRow:
    found = standing.grades
    cells = tuple(cell_of(standing, lab, jobs, now) for lab in labs)
    return MatrixRow(
        person=found.person,
        cells=cells,
        points=sum(cell.points or 0.0 for cell in cells),
        percent=found.total,
    )


def _columns(state: ClassState, rows: Collection[MatrixRow]) -> tuple[LabColumn, ...]:
    columns = []
    for position, lab in enumerate(state.labs):
        points = [cell.points for row in rows if (cell := row.cells[position]).points is not None]
        most = (each.grades.grades[lab].max_points for each in state.students)
        columns.append(
            LabColumn(
                name=lab,
                max_points=max(most, default=0.0),
                due=state.course.rule(lab).due,
                median=median(points) if points else None,
            )
        )
    return tuple(columns)


def _is_found(person: Person, wanted: MatrixFilter) -> bool:
    if wanted.section and person.section != wanted.section:
        return False
    text = _folded(f"{person.name} {person.id} {person.email}")
    return all(word in text for word in _folded(wanted.search).split())


def _folded(text: str) -> str:
    """``text`` without case and accents."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).casefold()


def _has(row: MatrixRow, wanted: MatrixFilter) -> bool:
    if wanted.word is None and wanted.mark is None:
        return True
    return any(
        wanted.word in {None, cell.word} and (wanted.mark is None or wanted.mark in cell.marks)
        for cell in _cells(row, wanted.lab)
    )


def _cells(row: MatrixRow, lab: str) -> Iterable[Cell]:
    return (cell for cell in row.cells if lab in {"", cell.lab})


def _count(
    rows: Iterable[MatrixRow], lab: str, kinds: type[_T], of: Callable[[Cell], Iterable[_T | None]]
) -> dict[_T, int]:
    counts = dict.fromkeys(kinds, 0)
    for row in rows:
        for kind in {each for cell in _cells(row, lab) for each in of(cell) if each is not None}:
            counts[kind] += 1
    return counts


def _sorted(rows: list[MatrixRow], sort: str, labs: Sequence[str]) -> list[MatrixRow]:
    by, turned = sort.removeprefix("-"), sort.startswith("-")
    in_order = sorted(rows, key=lambda row: natural_key(row.person.name or row.person.id))
    if by == Sort.SECTION:
        return sorted(in_order, key=lambda row: natural_key(row.person.section), reverse=turned)
    if by == Sort.SUM:
        return sorted(in_order, key=lambda row: row.points, reverse=turned)
    if by in labs:
        position = labs.index(by)
        return sorted(in_order, key=lambda row: _points(row.cells[position]), reverse=turned)
    return in_order[::-1] if turned else in_order


def _points(cell: Cell) -> float:
    """What rows are sorted by: nothing stands below zero points."""
    return -1.0 if cell.points is None else cell.points
