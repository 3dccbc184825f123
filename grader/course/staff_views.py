"""What staff see of one student: the work on a lab with its grade and every decision, and the student as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from grader.course.audit import Entry, entries_of
from grader.course.class_grades import StudentState
from grader.course.former import former_overrides
from grader.course.records import Records, Result
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.errors import NotFoundError
from grader.model.reason import Reason
from grader.model.submission import SourceFile
from grader.model.text import printable
from grader.model.verdict import Verdict
from grader.policy.grade import CountedGrade
from grader.store.job_values import Job, JobState
from grader.store.people import Person
from grader.store.values import SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """One attempt, by its ``number`` in time; ``counts``: it is the one that the rule keeps."""

    number: int
    submitted_at: datetime
    source: str
    submission: str | None
    points: float | None
    max_points: float
    verdict: Verdict | None
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkView:
    """A student's work on a lab. ``shown`` is the number of the attempt with the ``result`` and the ``files``.

    ``asked`` is the text of a request that waits for an answer.
    """

    person: Person
    lab: str
    grade: CountedGrade
    remarks: tuple[Reason, ...]
    attempts: tuple[AttemptView, ...]
    shown: int | None
    result: Result | None
    files: tuple[SourceFile, ...]
    decisions: tuple[Entry, ...]
    jobs: tuple[Job, ...]
    flagged: bool
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentView:
    """A student: grades by lab, and every decision about them, the newest first."""

    state: StudentState
    labs: tuple[str, ...]
    decisions: tuple[Entry, ...]


def student_view(workspace: Workspace, student: str) -> StudentView:
    """One student. Raises: ``NotFoundError`` if the course has no such student."""
    with Records(workspace) as records:
        found = workspace.class_grades.current(records)
        return StudentView(
            state=_state(found.students, student),
            labs=found.labs,
            decisions=entries_of(records, student=student),
        )


def work_view(workspace: Workspace, student: str, lab: str, attempt: int | None = None) -> WorkView:
    """The work of one student on a lab, at its newest graded attempt or the one with this number.

    Raises: ``NotFoundError`` if the course has no such student, lab or attempt.
    """
    with Records(workspace) as records:
        found = workspace.class_grades.current(records)
        state = _state(found.students, student)
        if lab not in found.labs:
            raise _nothing(lab, "lab")
        attempts = _attempts(Works(workspace, records, student), state.grades.grades[lab])
        shown = _shown(attempts, attempt)
        result = None if shown is None else _result(records, student, lab, shown.submission)
        digest = None if shown is None else shown.submission
        newest = records.store.scores.latest(student, lab)
        return WorkView(
            person=state.grades.person,
            lab=lab,
            grade=state.grades.grades[lab],
            remarks=() if newest is None else former_overrides(records, [newest]),
            attempts=attempts,
            shown=None if shown is None else shown.number,
            result=result,
            files=()
            if digest is None
            else records.files(SubmissionKey(student=student, lab=lab, digest=digest)),
            decisions=entries_of(records, student=student, lab=lab),
            jobs=records.store.jobs.list([JobState.WAITING, JobState.RUNNING, JobState.FAILED], lab, student),
            flagged=lab in state.flagged,
            asked=lab in state.asked,
        )


def _state(states: Sequence[StudentState], student: str) -> StudentState:
    for each in states:
        if each.grades.person.id == student:
            return each
    raise _nothing(student, "student")


def _attempts(works: Works, grade: CountedGrade) -> tuple[AttemptView, ...]:
    work = works.of(grade.person, [grade.lab]).works[grade.lab]
    return tuple(
        AttemptView(
            number=number,
            submitted_at=each.submitted_at,
            source=each.source.partition(" ")[0],
            submission=each.submission,
            points=each.points,
            max_points=each.max_points,
            verdict=None
            if each.submission is None
            else works.verdict(grade.person, grade.lab, each.submission),
            counts=grade.kept is not None and grade.kept.number == number,
        )
        for number, each in enumerate(work.in_order, start=1)
    )


def _shown(attempts: Sequence[AttemptView], number: int | None) -> AttemptView | None:
    """The attempt with this number, or the newest graded one, or else the newest."""
    if number is not None:
        if not 1 <= number <= len(attempts):
            raise _nothing(str(number), "attempt")
        return attempts[number - 1]
    graded = [each for each in attempts if each.verdict is not None]
    return next(reversed(graded or list(attempts)), None)


def _result(records: Records, student: str, lab: str, submission: str | None) -> Result | None:
    scores = records.store.scores.history(lab, student)
    score = next((each for each in scores if each.key.digest == submission), None)
    return None if score is None else records.results([score])[0]


def _nothing(name: str, what: str) -> NotFoundError:
    return NotFoundError(f"The course has no {what} {printable(name)}.")
