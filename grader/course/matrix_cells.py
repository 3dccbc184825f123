"""One cell of the class matrix: what one student's work on one lab counts, and what is not fine about it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from grader.course.class_grades import StudentState
from grader.model.verdict import Verdict
from grader.policy.grade import CountedGrade
from grader.store.job_values import Job, JobState


class Word(StrEnum):
    """What is not fine about a student's work on a lab. ``NOT_COUNTED``: no rule accepts what came."""

    LOOK = "look"
    MISSING = "missing"
    WRONG = "wrong"
    BUILD = "build"
    CRASH = "crash"
    TIME = "time"
    LIMIT = "limit"
    NOT_GRADED = "not-graded"
    NOT_COUNTED = "not-counted"
    EXCUSED = "excused"


class Mark(StrEnum):
    """What to know about a number besides."""

    LATE = "late"
    CHANGED = "changed"
    RUNNING = "running"
    ASKED = "asked"


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
class Cell:
    """One student and lab. Neither ``points`` nor a ``word``: nothing came, and nothing is due."""

    lab: str
    points: float | None
    word: Word | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(slots=True)
class OpenJobs:
    """The labs of the unfinished jobs, by student."""

    running: dict[str, frozenset[str]] = field(default_factory=dict)
    failed: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, jobs: Iterable[Job]) -> "OpenJobs":
        """Arrange ``jobs``."""
        found = cls()
        for job in jobs:
            kept = found.failed if job.state is JobState.FAILED else found.running
            kept[job.key.student] = kept.get(job.key.student, frozenset()) | {job.key.lab}
        return found

    def of_student(self, student: str) -> tuple[frozenset[str], frozenset[str]]:
        """The labs of the running and of the failed jobs of ``student``."""
        return self.running.get(student, frozenset()), self.failed.get(student, frozenset())


def cell_of(standing: StudentState, lab: str, jobs: OpenJobs, now: datetime) -> Cell:
    """The cell of ``lab`` at ``now``."""
    grade = standing.grades.grades[lab]
    running, failed = (lab in labs for labs in jobs.of_student(grade.person))
    marks = (
        (Mark.LATE, grade.late_seconds > 0),
        (Mark.CHANGED, grade.override),
        (Mark.RUNNING, running),
        (Mark.ASKED, lab in standing.asked),
    )
    return Cell(
        lab=lab,
        points=grade.points,
        word=_word(standing, grade, now, failed=failed, running=running),
        marks=tuple(mark for mark, holds in marks if holds),
    )


def _word(
    standing: StudentState, grade: CountedGrade, now: datetime, *, failed: bool, running: bool
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
