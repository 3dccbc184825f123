"""What the store holds to grade: for each student and lab the newest attempt, and earlier ones without a result."""

from collections import defaultdict
from dataclasses import dataclass

from grader.course.records import Records
from grader.course.select import Selection, narrowed
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.intake import Intake, Rejected
from grader.model.reason import Reason, reason
from grader.model.submission import Submission
from grader.store.attempts import Attempt, Refusal
from grader.store.ports import Store
from grader.store.values import SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedWork:
    """The newest attempts, as intake gives what lies in a folder, and earlier work without a result, oldest first."""

    intake: Intake
    earlier: tuple[Submission, ...]


def received_work(workspace: Workspace, selection: Selection) -> ReceivedWork:
    """The selected attempts in the store. Raises: ``UserError`` if there is none, or for an unknown lab or student."""
    for lab in selection.labs:
        workspace.registry.get(lab)
    with Records(workspace) as records:
        attempts: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
        for attempt in records.store.attempts.list():
            if attempt.submission is not None and (not selection.labs or attempt.lab in selection.labs):
                attempts[attempt.lab, attempt.student].append(attempt)
        scored = {score.key for score in records.store.scores.history()}
        submissions: list[Submission] = []
        rejected: list[Rejected] = []
        earlier: list[Submission] = []
        gone: set[str] = set()
        for (lab, _), own in sorted(attempts.items()):
            if lab not in workspace.registry.labs:
                gone.add(lab)
                continue
            *before, newest = own
            unseen = [each for each in before if _key(each) not in scored]
            found = _work(records.store, newest)
            if newest.refusal is None:
                submissions.append(found)
            else:
                rejected.append(_rejected(found, newest.refusal))
            earlier += _earlier(records.store, unseen, newest)
    if not submissions and not rejected:
        msg = "The store holds no submission to grade."
        raise UserError(msg, hint="Import one with `grader import PATH`, or name a folder.")
    intake = Intake(submissions=tuple(submissions), rejected=tuple(rejected), warnings=_warnings(gone))
    chosen = narrowed(intake, selection.students)
    students = {each.student for each in chosen.submissions} | {each.student for each in chosen.rejected}
    return ReceivedWork(intake=chosen, earlier=tuple(each for each in earlier if each.student in students))


def _earlier(store: Store, attempts: list[Attempt], newest: Attempt) -> list[Submission]:
    """The different work of ``attempts``, oldest first, without that of ``newest``."""
    first = {each.submission: each for each in reversed(attempts) if each.refusal is None}
    return [_work(store, each) for each in reversed(first.values()) if each.submission != newest.submission]


def _work(store: Store, attempt: Attempt) -> Submission:
    key = _key(attempt)
    stored = store.submissions.find(key)
    if stored is None:
        msg = f"The store lacks the work of {attempt.student} for {attempt.lab} of {attempt.submitted_at}."
        raise UserError(msg, hint="Import it again, or restore a backup.")
    return Submission(
        student=key.student,
        lab=key.lab,
        language=stored.language,
        files=store.submissions.files(key),
        path=stored.path,
    )


def _key(attempt: Attempt) -> SubmissionKey:
    return SubmissionKey(student=attempt.student, lab=attempt.lab, digest=attempt.submission or "")


def _rejected(submission: Submission, refusal: Refusal) -> Rejected:
    return Rejected(
        student=submission.student,
        lab=submission.lab,
        language=submission.language,
        path=submission.path,
        reason=refusal.reason,
        verdict=refusal.verdict,
    )


def _warnings(gone: set[str]) -> tuple[Reason, ...]:
    return tuple(reason("attempts-of-no-lab", lab=lab) for lab in sorted(gone))
