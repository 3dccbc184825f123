"""Grades and results as documents for other programs."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.course.destination import require_free
from grader.course.entries import PersonGrade, entries, person_grades
from grader.course.records import Records
from grader.course.select import require_exists
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.lms import grades_csv
from grader.lms.classroom50 import ResultContext, result, scores_with
from grader.lms.grades_csv import GradeRow
from grader.messages import Speech
from grader.model.reason import Reason, first_of
from grader.model.report import Report
from grader.model.text import printable
from grader.report import check50_json, junit
from grader.report.files import write_atomically
from grader.report.redact import Audience, redact

_LISTED = 10
"""How many people a note names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The file to write, and whether one that is there may be replaced."""

    file: Path
    overwrite: bool = False

    def write(self, data: bytes) -> None:
        """Write ``data``, as a whole. Raises: ``UserError`` if that is not allowed or not possible."""
        write_atomically(require_free(self.file, overwrite=self.overwrite), data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads a document, and in which language."""

    audience: Audience
    speech: Speech

    def view(self, report: Report) -> Report:
        """``report`` as the reader may see it."""
        return redact(report) if self.audience is Audience.STUDENT else report


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassroomScores:
    """The ``file`` with the scores of a classroom of classroom50, and the assignment in it."""

    file: Path
    classroom: str
    assignment: str


def export_csv(workspace: Workspace, labs: Collection[str], target: Target) -> int:
    """Write the grades of ``labs``, by default of all with results. Returns: how many rows. Raises: ``UserError``."""
    with Records(workspace) as records:
        wanted = labs or sorted({score.key.lab for score in records.latest_scores()})
        rows = [_row(each) for lab in wanted for each in person_grades(workspace, records, lab)]
    target.write(grades_csv.dump(rows))
    return len(rows)


def export_junit(workspace: Workspace, labs: Collection[str], reader: Reader, target: Target) -> int:
    """Write the newest results of ``labs``, or all, as JUnit XML. Returns: how many. Raises: ``UserError``."""
    for lab in labs:
        workspace.registry.get(lab)
    with Records(workspace) as records:
        reports = [reader.view(each.report) for each in records.latest_all(labs)]
    target.write(junit.dump(reports, reader.speech))
    return len(reports)


def export_check50(workspace: Workspace, student: str, lab: str, reader: Reader, target: Target) -> None:
    """Write the newest result of one student and lab as check50 does. Raises: ``UserError``."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        report = records.latest(student, lab).report
    target.write(check50_json.encoded(reader.view(report), reader.speech))


def export_result(
    workspace: Workspace, student: str, context: ResultContext, lab: str, target: Target
) -> None:
    """Write what counts of one student and lab as classroom50's ``result.json``. Raises: ``UserError``."""
    with Records(workspace) as records:
        found = next(
            (each for each in person_grades(workspace, records, lab) if each.person.id == student), None
        )
    if found is None or found.grade.points is None:
        msg = f"{printable(student)} has no points for {lab}."
        raise UserError(msg, hint="Grade the submission with `grader grade PATH`.")
    parts = () if found.result is None else redact(found.result.report).parts
    document = result(context, parts, found.grade.points, found.grade.max_points, datetime.now(UTC))
    target.write(json.dumps(document, indent=2).encode() + b"\n")


def export_scores(
    workspace: Workspace, scores: ClassroomScores, lab: str, target: Target
) -> tuple[Reason, ...]:
    """Write a copy of classroom50's ``scores.json`` with the grades of ``lab``.

    Returns: notes about people who are left out. Raises: ``UserError``.
    """
    data = require_exists(scores.file).read_bytes()
    with Records(workspace) as records:
        found = entries(workspace, records, lab, None)
    written, left = scores_with(data, found, scores.classroom, scores.assignment, datetime.now(UTC))
    target.write(written)
    return (
        *_note("export-without-login", [each.label for each in left if each.points is not None]),
        *_note("export-without-points", [each.label for each in left if each.points is None]),
    )


def _note(code: str, names: list[str]) -> tuple[Reason, ...]:
    people = first_of([printable(name) for name in names], _LISTED)
    return (Reason(code=code, params={"count": len(names), "people": people}),) if names else ()


def _row(each: PersonGrade) -> GradeRow:
    person, grade = each.person, each.grade
    kept = grade.kept
    return GradeRow(
        student=person.id,
        name=person.name,
        email=person.email,
        section=person.section,
        lab=grade.lab,
        points=grade.points,
        max_points=grade.max_points,
        raw_points=grade.raw_points,
        penalty=grade.penalty,
        late_seconds=grade.late_seconds,
        late_days=grade.late_days,
        excused=grade.excused,
        override=grade.override,
        visible=grade.visible,
        submitted_at="" if kept is None else kept.submitted_at.astimezone(UTC).isoformat(timespec="seconds"),
        verdict="" if each.result is None else each.result.report.verdict.value,
    )
