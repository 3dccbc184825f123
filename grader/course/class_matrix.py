"""The class at a glance: a number where work is fine, a word where it is not."""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from statistics import median
from typing import TypeVar

from grader.course.class_grades import ClassStandings, Standing
from grader.course.queue import UNFINISHED
from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.digests import value_digest
from grader.model.text import natural_key
from grader.model.verdict import Verdict
from grader.policy.grade import CountedGrade
from grader.store.job_values import Job, JobState
from grader.store.people import Person

_T = TypeVar("_T", bound=StrEnum)

_MINUTE = 60


class Word(StrEnum):
    """What is not fine about a student's work on a lab. ``NOT_COUNTED``: no rule accepts what came."""

    LOOK = "look"
    MISSING = "missing"
    WRONG = "wrong"
    BUILD = "build"
    CRASH = "crash"
    TIME = "time"
    LIMIT = "limit"
    NOT_GRADED = "not graded"
    NOT_COUNTED = "not counted"
    EXCUSED = "excused"


class Mark(StrEnum):
    """What to know about a number besides."""

    LATE = "late"
    CHANGED = "changed"
    RUNNING = "running"
    ASKED = "asked"


class Sort(StrEnum):
    """What rows are sorted by; a lab's own name sorts by its points."""

    NAME = "name"
    SECTION = "section"
    SUM = "sum"


_WORDS = {
    Verdict.ACCEPTED: None,
    Verdict.SUSPICIOUS: None,
    Verdict.WRONG: Word.WRONG,
    Verdict.FAILED_TO_BUILD: Word.BUILD,
    Verdict.CRASHED: Word.CRASH,
    Verdict.TIMED_OUT: Word.TIME,
    Verdict.OVER_THE_LIMIT: Word.LIMIT,
    Verdict.NOT_GRADABLE: Word.LOOK,
}


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
class Cell:
    """One student and lab. Neither ``points`` nor a ``word``: nothing came, and nothing is due."""

    lab: str
    points: float | None
    word: Word | None = None
    marks: tuple[Mark, ...] = ()


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


@dataclass(slots=True)
class _Jobs:
    """The unfinished jobs, by student and lab."""

    running: set[tuple[str, str]] = field(default_factory=set)
    failed: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> "_Jobs":
        found = cls()
        for job in jobs:
            kept = found.failed if job.state is JobState.FAILED else found.running
            kept.add((job.key.student, job.key.lab))
        return found


def matrix_tag(workspace: Workspace, now: datetime) -> str:
    """A tag that stays the same while the matrix does, for up to a minute."""
    with Records(workspace) as records:
        standings = workspace.class_grades.current(records)
        jobs = [(job.id, job.state.value) for job in records.store.jobs.list(UNFINISHED)]
    return value_digest((standings.revision, jobs, int(now.timestamp()) // _MINUTE))


def class_matrix(workspace: Workspace, wanted: MatrixFilter, now: datetime) -> ClassMatrix:
    """The matrix at ``now``. Raises: ``UserError`` for a mistake in the course file."""
    with Records(workspace) as records:
        standings = workspace.class_grades.current(records)
        jobs = _Jobs.of(records.store.jobs.list(UNFINISHED))
    everybody = [_row(each, standings.labs, jobs, now) for each in standings.standings]
    found = [row for row in everybody if _is_found(row.person, wanted)]
    shown = [row for row in found if _has(row, wanted)]
    return ClassMatrix(
        title=standings.course.title,
        labs=_columns(standings, everybody),
        rows=tuple(_sorted(shown, wanted.sort, standings.labs)),
        sections=tuple(sorted({row.person.section for row in everybody} - {""}, key=natural_key)),
        students=len(found),
        looks=sum(any(cell.word is Word.LOOK for cell in row.cells) for row in everybody),
        words=_count(found, wanted.lab, Word, lambda cell: (cell.word,)),
        marks=_count(found, wanted.lab, Mark, lambda cell: cell.marks),
    )


def _row(standing: Standing, labs: Sequence[str], jobs: _Jobs, now: datetime) -> MatrixRow:
    found = standing.grades
    cells = tuple(_cell(standing, lab, jobs, now) for lab in labs)
    return MatrixRow(
        person=found.person,
        cells=cells,
        points=sum(cell.points or 0.0 for cell in cells),
        percent=found.total,
    )


def _cell(standing: Standing, lab: str, jobs: _Jobs, now: datetime) -> Cell:
    grade = standing.grades.grades[lab]
    work = (grade.person, lab)
    marks = (
        (Mark.LATE, grade.late_seconds > 0),
        (Mark.CHANGED, grade.override),
        (Mark.RUNNING, work in jobs.running),
        (Mark.ASKED, lab in standing.asked),
    )
    return Cell(
        lab=lab,
        points=grade.points,
        word=_word(standing, grade, now, failed=work in jobs.failed, running=work in jobs.running),
        marks=tuple(mark for mark, holds in marks if holds),
    )


def _word(
    standing: Standing, grade: CountedGrade, now: datetime, *, failed: bool, running: bool
) -> Word | None:
    verdict = standing.verdicts[grade.lab]
    if grade.excused:
        return Word.EXCUSED
    if failed or grade.lab in standing.flagged:
        return Word.LOOK
    if grade.override:
        return None
    if verdict is None:
        return _nothing(grade, now, running=running)
    if grade.kept is None and verdict is not Verdict.NOT_GRADABLE:
        return Word.NOT_COUNTED
    return _WORDS[verdict]


def _nothing(grade: CountedGrade, now: datetime, *, running: bool) -> Word | None:
    """What is missing where nothing is graded."""
    if grade.submitted:
        return None if running else Word.NOT_GRADED
    return Word.MISSING if grade.due is not None and now > grade.due else None


def _columns(standings: ClassStandings, rows: Collection[MatrixRow]) -> tuple[LabColumn, ...]:
    columns = []
    for position, lab in enumerate(standings.labs):
        points = [cell.points for row in rows if (cell := row.cells[position]).points is not None]
        most = (each.grades.grades[lab].max_points for each in standings.standings)
        columns.append(
            LabColumn(
                name=lab,
                max_points=max(most, default=0.0),
                due=standings.course.rule(lab).due,
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
