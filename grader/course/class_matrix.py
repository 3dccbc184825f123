"""The class as a matrix: a number where work is fine, a word where it is not."""

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain
from statistics import median
from typing import TypeVar

from grader.course.class_grades import ClassState
from grader.course.matrix_cells import Cell, Mark, OpenJobs, Word
from grader.course.matrix_rows import MatrixRow
from grader.course.queue import UNFINISHED
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.digests import value_digest
from grader.model.text import natural_key
from grader.store.job_values import Job
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassNow:
    """What the matrix shows ``at`` a time: the grades of everybody, and the unfinished ``jobs``."""

    state: ClassState
    jobs: tuple[Job, ...]
    at: datetime

    @property
    def tag(self) -> str:
        """A tag that stays the same while the matrix does, for up to a minute."""
        jobs = [(job.id, job.state.value) for job in self.jobs]
        return value_digest((self.state.revision, jobs, int(self.at.timestamp()) // _MINUTE))


def class_now(workspace: Workspace, now: datetime) -> ClassNow:
    """The class at ``now``. Raises: ``UserError`` for a mistake in the course file."""
    with Records(workspace) as records:
        state = workspace.class_grades.current(records)
        return ClassNow(state=state, jobs=records.store.jobs.list(UNFINISHED), at=now)


def class_matrix(workspace: Workspace, wanted: MatrixFilter, seen: ClassNow) -> ClassMatrix:
    """The matrix of the class as it was ``seen``."""
    state = seen.state
    everybody = workspace.matrix_rows.of(state, OpenJobs.of(seen.jobs), seen.at)
    found = [row for row in everybody if _is_found(row.person, wanted)]
    shown = [row for row in found if _has(row, wanted)]
    return ClassMatrix(
        title=state.course.title,
        labs=_columns(state, everybody),
        rows=tuple(_sorted(shown, wanted.sort, state.labs)),
        sections=tuple(sorted({row.person.section for row in everybody} - {""}, key=natural_key)),
        students=len(found),
        looks=sum(Word.LOOK in row.words for row in everybody),
        words=_count(Word, (_words(row, wanted.lab) for row in found)),
        marks=_count(Mark, (_marks(row, wanted.lab) for row in found)),
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
    if not wanted.search:
        return True
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


def _words(row: MatrixRow, lab: str) -> Collection[Word]:
    return {cell.word for cell in _cells(row, lab) if cell.word is not None} if lab else row.words


def _marks(row: MatrixRow, lab: str) -> Collection[Mark]:
    return {mark for cell in _cells(row, lab) for mark in cell.marks} if lab else row.marks


def _count(kinds: type[_T], rows: Iterable[Collection[_T]]) -> dict[_T, int]:
    """How many ``rows`` have each of the ``kinds``."""
    counts = dict.fromkeys(kinds, 0)
    for kind in chain.from_iterable(rows):
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
