"""Regrade sets: choose results, see what a new grading changes, and apply or discard it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from grader.course.records import Records, Result
from grader.course.rules import course_of
from grader.course.rulings import decided
from grader.course.select import Only, state_of
from grader.course.staff import Staff
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.model.diagnostic import Diagnostic
from grader.model.report import Report
from grader.model.verdict import Verdict
from grader.report.boundaries import Crossing, crossings
from grader.report.changes import ReportChange, changes
from grader.report.distribution import LabSummary, lab_summaries
from grader.store.regrade_tables import RowState
from grader.store.regrades import Closing, Regrade, RegradeRow, Work
from grader.store.values import Decision, NewScore, Score

PASS_MARK = 50.0
"""The grade boundary where neither the user nor the course names one, in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeFilter:
    """Which of the newest results to regrade; an empty field excludes nothing. ``findings`` are kinds or codes."""

    labs: tuple[str, ...] = ()
    students: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    findings: tuple[str, ...] = ()
    only: frozenset[Only] = field(default_factory=frozenset)

    def takes(self, report: Report) -> bool:
        """Whether the result ``report`` is wanted, apart from labs, students and sections."""
        return (
            (not self.verdicts or report.verdict in self.verdicts)
            and (not self.only or state_of(report.verdict) in self.only)
            and (not self.findings or any(_is_any(found, self.findings) for found in _diagnostics(report)))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRegrade:
    """A set; ``open_before``: it was there. ``without_files`` counts results that are left out for want of files."""

    regrade: Regrade
    open_before: bool
    without_files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a set would change if it were applied now.

    ``before`` and ``after`` summarise each lab over the rows with a proposal; ``same`` counts those that keep their
    points and verdict, ``superseded`` those of students with a newer result.
    """

    regrade: Regrade
    changes: tuple[ReportChange, ...]
    same: int
    superseded: int
    crossings: tuple[Crossing, ...]
    before: tuple[LabSummary, ...]
    after: tuple[LabSummary, ...]


def new(workspace: Workspace, wanted: RegradeFilter, staff: Staff, *, fresh: bool) -> NewRegrade:
    """Make a set of the newest results that ``wanted`` takes; ``fresh``: run kernels although stored facts would do.

    The same set again is the open one. Raises: ``UserError`` if nothing is wanted, or if another open set has a part.
    """
    for lab in wanted.labs:
        workspace.registry.get(lab)
    with Records(workspace) as records:
        found = _wanted(records, wanted)
        scores = [each.score for each in found if records.files(each.score.key)]
        if not scores:
            msg = "No stored submission is wanted."
            raise UserError(
                msg, hint="Take less into the filter; see what is stored with `grader gradebook`."
            )
        made = records.store.regrades.create(
            scores, staff.name, staff.because.strip(), datetime.now(UTC), fresh=fresh
        )
        regrade = find(records, made) if made is not None else _same_open(records, scores, fresh=fresh)
        without_files = len(found) - len(scores)
    return NewRegrade(regrade=regrade, open_before=made is None, without_files=without_files)


def regrades(workspace: Workspace) -> tuple[Regrade, ...]:
    """Every set, the oldest first."""
    with Records(workspace) as records:
        return records.store.regrades.list()


def preview(workspace: Workspace, number: int | None, boundaries: Collection[float]) -> Preview:
    """What the set ``number``, or the open one, would change; nothing is stored. Raises: ``UserError``.

    Without ``boundaries``, in percent, those of the course hold, and without any half of the points.
    """
    course = course_of(workspace)
    wanted = boundaries or [least for _, least in course.boundaries] or [PASS_MARK]
    with Records(workspace) as records:
        regrade = find(records, number)
        newest = {(each.key.student, each.key.lab): each for each in records.store.scores.latest_all()}
        pairs = []
        superseded = 0
        for row in records.store.regrades.rows(regrade.id):
            score = newest.get((row.student, row.lab))
            if row.proposed is None or score is None:
                superseded += row.state == RowState.SUPERSEDED
            elif score.id == row.before:
                pairs.append((score, row.proposed))
            else:
                superseded += 1
        before = [each.report for each in records.results(score for score, _ in pairs)]
        rulings = records.decisions([score for score, _ in pairs])
        after = [
            _after(score, proposed, rulings[score.key.student, score.key.lab]) for score, proposed in pairs
        ]
    found = changes(before, after)
    return Preview(
        regrade=regrade,
        changes=found,
        same=len(pairs) - len(found),
        superseded=superseded,
        crossings=crossings(found, wanted),
        before=lab_summaries(before),
        after=lab_summaries(after),
    )


def close(  # noqa: PLR0913 - a decision and its parts
    workspace: Workspace,
    number: int | None,
    *,
    apply: bool,
    students: Collection[str] = (),
    because: str = "",
    by: str = "",
) -> tuple[RegradeRow, ...]:
    """Apply or discard the set ``number``, or the open one: all its rows, or those of ``students``.

    Applying waits for no row that is not graded yet. Without ``because`` the reason is the set's own.
    Returns: the rows that are closed now. Raises: ``UserError`` for an unknown set or student.
    """
    with Records(workspace) as records:
        regrade = find(records, number)
        works = _works(records, regrade, students) if students else None
        staff = Staff(because=because or regrade.why, by=by)
        closing = Closing(who=staff.name, why=staff.because.strip(), at=datetime.now(UTC), works=works)
        port = records.store.regrades
        return port.apply(regrade.id, closing) if apply else port.discard(regrade.id, closing)


def find(records: Records, number: int | None) -> Regrade:
    """The set ``number``, or the only open one. Raises: ``UserError`` if there is none, or several are open."""
    known = {each.id: each for each in records.store.regrades.list()}
    if number is not None:
        if number not in known:
            msg = f"There is no regrade {number}."
            raise UserError(msg, hint="List them with `grader regrade`.")
        return known[number]
    still_open = [each for each in known.values() if each.is_open]
    if len(still_open) != 1:
        listed = ", ".join(str(each.id) for each in still_open)
        msg = f"Several regrades are open: {listed}." if still_open else "No regrade is open."
        raise UserError(
            msg, hint="Name one of them." if still_open else "Make one with `grader regrade new`."
        )
    return still_open[0]


def _wanted(records: Records, wanted: RegradeFilter) -> list[Result]:
    in_sections = {each.id for each in records.store.people.list() if each.section in wanted.sections}
    return [
        each
        for each in records.latest_all(wanted.labs, wanted.students)
        if (not wanted.sections or each.score.key.student in in_sections) and wanted.takes(each.report)
    ]


def _same_open(records: Records, scores: Collection[Score], *, fresh: bool) -> Regrade:
    """The open set of exactly these ``scores``. Raises: ``UserError`` if only a part of them is in open sets."""
    works = {(score.key.student, score.key.lab): score.id for score in scores}
    parts = []
    for regrade in records.store.regrades.list():
        rows = {(row.student, row.lab): row.before for row in records.store.regrades.rows(regrade.id)}
        if rows == works and regrade.fresh == fresh and regrade.is_open:
            return regrade
        if regrade.is_open and rows.keys() & works.keys():
            parts.append(regrade.id)
    listed = ", ".join(map(str, parts))
    msg = f"Some of these submissions are in a regrade that is open: {listed}."
    raise UserError(msg, hint="Apply or discard that one first.")


def _works(records: Records, regrade: Regrade, students: Collection[str]) -> frozenset[Work]:
    rows = records.store.regrades.rows(regrade.id)
    unknown = set(students) - {row.student for row in rows}
    if unknown:
        msg = f"Regrade {regrade.id} has no row of {', '.join(sorted(unknown))}."
        raise UserError(msg, hint=f"See its rows with `grader regrade preview {regrade.id}`.")
    return frozenset((row.student, row.lab) for row in rows if row.student in students)


def _after(score: Score, proposed: NewScore, rulings: Iterable[Decision]) -> Report:
    """The proposed report after the decisions that hold for it."""
    as_stored = replace(
        score,
        key=proposed.key,
        facts=proposed.facts,
        lab_code=proposed.lab_code,
        rubric=proposed.rubric,
        engine=proposed.engine,
    )
    return decided(proposed.report, as_stored, rulings)


def _diagnostics(report: Report) -> tuple[Diagnostic, ...]:
    return (*report.diagnostics, *(found for kernel in report.kernels for found in kernel.diagnostics))


def _is_any(found: Diagnostic, wanted: Collection[str]) -> bool:
    return found.kind.value in wanted or found.message.code in wanted
