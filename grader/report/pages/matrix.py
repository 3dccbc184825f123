"""The class as a table of students and labs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.model.reason import Reason, as_written, reason
from grader.model.report import Report, Speedup
from grader.model.text import natural_key
from grader.model.verdict import Verdict
from grader.report import quantities
from grader.report.summary import best_speedup, has_score

WORDS: Mapping[Verdict, Reason] = {
    Verdict.SUSPICIOUS: reason("cell-review"),
    Verdict.WRONG: reason("cell-wrong"),
    Verdict.OVER_THE_LIMIT: reason("cell-limit"),
    Verdict.TIMED_OUT: reason("cell-time"),
    Verdict.CRASHED: reason("cell-crash"),
    Verdict.FAILED_TO_BUILD: reason("cell-build"),
    Verdict.NOT_GRADABLE: reason("cell-no-grade"),
}
"""The word in a cell, for every verdict but accepted."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One submission: its report, the link to it, a word if it is not simply accepted, and its best speedup."""

    report: Report
    link: str
    word: Reason | None
    speedup: Reason | None

    @property
    def is_problem(self) -> bool:
        """Whether it counts and was not accepted."""
        return self.word is not None and not self.report.is_excused

    @property
    def is_changed(self) -> bool:
        """Whether staff decided about its points or verdict."""
        return self.report.adjustment is not None


@dataclass(frozen=True, slots=True)
class Row:
    """One student: the submissions to each lab in the order of the labs, and the sum of the best scores."""

    student: str
    cells: tuple[tuple[Cell, ...], ...]
    total: float


@dataclass(frozen=True, slots=True)
class Matrix:
    """All students by all labs. ``most`` is the sum of the labs' possible points; ``missing`` counts empty cells.

    ``excused`` and ``changed`` count submissions that staff decided about, ``problems`` those that were not accepted.
    """

    labs: tuple[str, ...]
    rows: tuple[Row, ...]
    most: float
    missing: int
    excused: int
    changed: int
    problems: int
    speedup_kinds: tuple[Reason, ...]


def matrix(reports: Sequence[Report], links: Sequence[str]) -> Matrix:
    """The table of ``reports``, which are ordered by lab; ``links`` has the link to each."""
    labs = tuple(dict.fromkeys(report.lab for report in reports))
    kinds = sorted({speedup.kind for report in reports if (speedup := best_speedup(report))})
    found: dict[str, dict[str, list[Cell]]] = {}
    for report, link in zip(reports, links, strict=True):
        cell = _cell(report, link, name_kind=len(kinds) > 1)
        found.setdefault(report.student, {}).setdefault(report.lab, []).append(cell)
    students = sorted(found, key=lambda student: (natural_key(student), student))
    rows = tuple(_row(student, found[student], labs) for student in students)
    listed = [one for row in rows for cell in row.cells for one in cell]
    return Matrix(
        labs=labs,
        rows=rows,
        most=sum(max(r.max_score for r in reports if r.lab == lab) for lab in labs),
        missing=sum(not cell for row in rows for cell in row.cells),
        excused=sum(one.report.is_excused for one in listed),
        changed=sum(one.is_changed for one in listed),
        problems=sum(one.is_problem for one in listed),
        speedup_kinds=tuple(reason("kind", kind=kind.value) for kind in kinds),
    )


def _row(student: str, found: Mapping[str, list[Cell]], labs: Sequence[str]) -> Row:
    cells = tuple(tuple(found.get(lab, ())) for lab in labs)
    best = (max((c.report.score for c in cell if has_score(c.report)), default=0.0) for cell in cells)
    return Row(student=student, cells=cells, total=sum(best))


def _cell(report: Report, link: str, *, name_kind: bool) -> Cell:
    speedup = best_speedup(report)
    return Cell(
        report=report,
        link=link,
        word=reason("excused") if report.is_excused else WORDS.get(report.verdict),
        speedup=None if speedup is None else _speedup(speedup, name_kind=name_kind),
    )


def _speedup(speedup: Speedup, *, name_kind: bool) -> Reason:
    value = quantities.times(speedup.value)
    return (
        reason("speedup-of-kind", speedup=value, kind=speedup.kind.value) if name_kind else as_written(value)
    )
