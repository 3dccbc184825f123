"""What differs between two gradings: who goes up or down, who changes verdict, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from grader.model.reason import Reason
from grader.model.report import Part, Report
from grader.model.text import natural_key
from grader.report.quantities import title
from grader.report.summary import has_score


class Direction(StrEnum):
    """How a student's result on a lab changes. ``LEVEL``: another verdict for the same points."""

    UP = "up"
    DOWN = "down"
    LEVEL = "same points"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartChange:
    """A line of the rubric with changed points; ``None`` where a grading does not have it. ``reason``: the newer."""

    title: Reason
    before: float | None
    after: float | None
    reason: Reason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportChange:
    """Two different reports on one student's work on one lab; ``None`` where a grading has none."""

    before: Report | None
    after: Report | None

    @property
    def report(self) -> Report:
        """The newer report, or the older one if it is gone."""
        found = self.after or self.before
        if found is None:
            msg = "a change between no reports"
            raise ValueError(msg)
        return found

    @property
    def direction(self) -> Direction:
        """Where the points go; a result without a score counts as 0."""
        if self.before is None:
            return Direction.NEW
        if self.after is None:
            return Direction.GONE
        before, after = _points(self.before), _points(self.after)
        if before == after:
            return Direction.LEVEL
        return Direction.UP if after > before else Direction.DOWN

    @property
    def parts(self) -> tuple[PartChange, ...]:
        """The lines of the rubric that changed."""
        if self.before is None or self.after is None:
            return ()
        old, new = _by_name(self.before), _by_name(self.after)
        changes = (
            PartChange(
                title=title(new.get(name) or old[name]),
                before=old[name].score if name in old else None,
                after=new[name].score if name in new else None,
                reason=new[name].reason if name in new else None,
            )
            for name in dict.fromkeys((*old, *new))
        )
        return tuple(change for change in changes if change.before != change.after)


def changes(before: Iterable[Report], after: Iterable[Report]) -> tuple[ReportChange, ...]:
    """The results that differ in verdict or points, or that only one grading has; by lab and student."""
    old, new = _by_work(before), _by_work(after)
    found = (
        ReportChange(before=old.get(work), after=new.get(work))
        for work in sorted(old.keys() | new.keys(), key=lambda work: tuple(map(natural_key, work)))
    )
    return tuple(change for change in found if _outcome(change.before) != _outcome(change.after))


def _by_work(reports: Iterable[Report]) -> dict[tuple[str, str], Report]:
    return {(report.lab, report.student): report for report in reports}


def _by_name(report: Report) -> dict[str, Part]:
    return {part.name: part for part in report.parts}


def _outcome(report: Report | None) -> object:
    return report and (report.verdict, report.is_excused, has_score(report), report.score, report.max_score)


def _points(report: Report) -> float:
    return report.score if has_score(report) else 0.0
