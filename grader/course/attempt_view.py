"""One attempt as its student, or staff, may see it: its state, its result with the one cause, and those before it.

A student sees what ``grader.report.redact`` leaves, and only when the rules of the course show results; staff see all,
or what the student sees. The caller checks that the visitor may see the attempt: ``owner`` shows that it is theirs.
"""

from dataclasses import dataclass
from datetime import datetime

from grader.course.attempt_lines import AttemptLine, attempts_of
from grader.course.live_state import LiveState
from grader.course.own_work import OwnWork, own_work
from grader.course.records import Records, Result
from grader.course.standing import Standing
from grader.course.withdraw import may_withdraw
from grader.course.workspace import Workspace
from grader.errors import NotFoundError
from grader.model.reason import Reason
from grader.model.report import EngineInfo, Report
from grader.model.submission import SourceFile
from grader.policy.acceptance import lateness
from grader.policy.grade import CountedGrade
from grader.policy.wording import elapsed
from grader.report.lead import Lead, lead
from grader.report.redact import Audience
from grader.report.remarks import Remarks, remarks
from grader.store.attempts import Attempt, RecordedAttempt
from grader.store.rulings import RegradeAnswer, RegradeRequest
from grader.store.values import SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """The result of an attempt: the ``report`` as the reader may see it, what ran it, and the seed of its inputs.

    ``remarks`` is what staff say about the submission.
    """

    report: Report
    engine: EngineInfo
    lead: Lead | None
    remarks: Remarks
    seed: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the student asked about the result of the submission; ``is_open``: staff have not answered."""

    text: str
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """One attempt. ``result`` is ``None`` where there is none, or none that the reader may see: ``hidden``.

    ``line`` is its entry in ``attempts``. ``late`` is how late it came.
    """

    student: str
    lab: str
    title: str
    line: AttemptLine
    attempts: tuple[AttemptLine, ...]
    attempt: Attempt
    files: tuple[SourceFile, ...]
    state: LiveState
    standing: Standing
    grade: CountedGrade
    late: Reason | None
    hidden: bool
    result: AttemptResult | None
    question: Question | None
    may_withdraw: bool

    @property
    def may_ask(self) -> bool:
        """Whether the student can ask staff about the result, which is that of their newest graded work."""
        graded = [each for each in self.attempts if each.verdict is not None]
        is_newest = bool(graded) and graded[-1].id == self.line.id
        return is_newest and (self.question is None or not self.question.is_open)

    @property
    def former(self) -> AttemptLine | None:
        """The attempt before it."""
        return self.attempts[self.line.number - 2] if self.line.number > 1 else None


def find_attempt(records: Records, attempt: int, owner: str | None) -> RecordedAttempt:
    """The attempt with this id. Raises: ``NotFoundError`` if there is none, or it is not that of ``owner``."""
    found = records.store.attempts.find(attempt)
    if found is None or owner not in {None, found.attempt.student}:
        msg = f"There is no attempt {attempt}."
        raise NotFoundError(msg)
    return found


def attempt_view(
    workspace: Workspace, attempt: int, now: datetime, *, owner: str | None, audience: Audience
) -> AttemptView:
    """The attempt with this id, of ``owner`` if it is given. Raises: ``NotFoundError``."""
    with Records(workspace) as records:
        recorded = find_attempt(records, attempt, owner)
        student, lab = recorded.attempt.student, recorded.attempt.lab
        work = own_work(workspace, records, student, now, lab)
        return _view(workspace, records, recorded, work, audience)


def preview(workspace: Workspace, student: str, lab: str, number: int | None, now: datetime) -> AttemptView:
    """The attempt of ``student`` with this number, or the newest, as they see it. Raises: ``NotFoundError``."""
    with Records(workspace) as records:
        recorded = records.store.attempts.recorded(student, lab)
        chosen = len(recorded) if number is None else number
        if not 1 <= chosen <= len(recorded):
            msg = f"The student has no attempt {chosen} for this lab."
            raise NotFoundError(msg)
        work = own_work(workspace, records, student, now, lab)
        return _view(workspace, records, recorded[chosen - 1], work, Audience.STUDENT)


def _view(
    workspace: Workspace, records: Records, recorded: RecordedAttempt, work: OwnWork, audience: Audience
) -> AttemptView:
    attempt = recorded.attempt
    student, lab = attempt.student, attempt.lab
    grade, standing = work.grades[lab], work.standings[lab]
    own = attempts_of(records, student, lab, grade, audience)
    line = next(each for each in own.lines if each.id == recorded.id)
    key = SubmissionKey(student=student, lab=lab, digest=attempt.submission or "")
    files = records.files(key)
    result = own.results.get(key.digest)
    known = workspace.registry.labs.find(lab)
    late = lateness(standing.held.rule, attempt.submitted_at)
    return AttemptView(
        student=student,
        lab=lab,
        title=lab if known is None else known.manifest.title,
        line=line,
        attempts=own.lines,
        attempt=attempt,
        files=files,
        state=line.state,
        standing=standing,
        grade=grade,
        late=elapsed(late) if late else None,
        hidden=not grade.visible and audience is Audience.STUDENT,
        result=None if result is None else _result(records, result, files),
        question=_question(records, key),
        may_withdraw=may_withdraw(records, recorded.id),
    )


def _result(records: Records, result: Result, files: tuple[SourceFile, ...]) -> AttemptResult:
    facts = None if result.score.facts is None else records.store.facts.read(result.score.facts)
    return AttemptResult(
        report=result.report,
        engine=result.report.engine or result.score.engine,
        lead=lead(result.report, files),
        remarks=remarks(result.report, files),
        seed=None if facts is None else facts.seed,
    )


def _question(records: Records, key: SubmissionKey) -> Question | None:
    """The last request about the submission."""
    found: Question | None = None
    for decision in records.store.decisions.list(key.lab, key.student):
        if decision.submission != key.digest:
            continue
        if isinstance(decision.ruling, RegradeRequest):
            found = Question(text=decision.why, is_open=True)
        elif isinstance(decision.ruling, RegradeAnswer) and found is not None:
            found = Question(text=found.text, is_open=False)
    return found
