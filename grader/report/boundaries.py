"""Who crosses a grade boundary between two gradings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.report.changes import ReportChange
from grader.report.summary import has_score


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """A student's share of a lab's points crosses ``boundary``, in percent, upwards or downwards."""

    student: str
    lab: str
    boundary: float
    up: bool


def crossings(changes: Iterable[ReportChange], boundaries: Iterable[float]) -> tuple[Crossing, ...]:
    """Each crossing of a boundary, by lab and student as ``changes`` are, the lowest boundary first."""
    ascending = sorted(set(boundaries))
    return tuple(crossing for change in changes for crossing in _crossings(change, ascending))


def _crossings(change: ReportChange, boundaries: Iterable[float]) -> Iterator[Crossing]:
    sides = (change.before, change.after)
    before, after = (
        100 * side.score / side.max_score if side and has_score(side) and side.max_score else 0.0
        for side in sides
    )
    for boundary in boundaries:
        if (before >= boundary) != (after >= boundary):
            yield Crossing(
                student=change.report.student,
                lab=change.report.lab,
                boundary=boundary,
                up=after >= boundary,
            )
