"""A student submits from the portal, a terminal or a program: the one way in for work that arrives over HTTP.

``submit(workspace, student, upload, client=..., key=...)`` takes an ``Upload`` (files, archives, pasted text, and the
lab or an empty word if the names say it) and returns ``Submitted``: ``attempt`` is the id of the attempt, ``number``
its place among the student's attempts for ``lab``, ``is_new`` whether this call added it. The submission with its
files, the attempt and the job in the queue are one transaction. What happens next is in ``grader.course.live_state``.

Nothing is submitted twice: the same ``key`` of the same client gives the same attempt at any later time; the same
content gives the same attempt while its job waits or runs. Of a burst of different content only the newest waits.

``RefusedError`` has the statement why as ``reason``: what was sent holds no work, the lab is unknown, or the rules of
the course accept no attempt now; then it is the sentence of the rule, with the time from which one is accepted.
"""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.assignment_lab import lab_of_assignment
from grader.course.course_labs import require_lab, student_labs
from grader.course.queue import engine_key, needs_of
from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.rules import course_of
from grader.course.standing import labs_of, standing
from grader.course.uploads import Upload, names_in, read_upload
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.errors import InfrastructureError
from grader.intake import LabRules
from grader.model.reason import Reason, reason
from grader.model.submission import Submission
from grader.policy.rules import Course
from grader.store.attempts import Attempt
from grader.store.job_values import AttemptJob, Lane, NewJob
from grader.store.people import Person

PORTAL = "portal"
API = "api"
"""The clients: the first word of ``Attempt.source``."""

MAX_KEY = 200
"""The most characters of an idempotency key."""

_TRIES = 5
_NOTHING = -1
"""No student has as many attempts: only an attempt that is there already is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """An accepted attempt and its job. ``ignored`` names what of the upload is no part of the submission."""

    attempt: int
    number: int
    lab: str
    job: int
    is_new: bool
    ignored: tuple[Reason, ...]


def submit(
    workspace: Workspace, student: str, upload: Upload, *, client: str = PORTAL, key: str = ""
) -> Submitted:
    """Submit ``upload`` for ``student``; see the module. Raises: ``RefusedError``."""
    if len(key) > MAX_KEY or not key.isprintable():
        raise RefusedError(reason("submit-key-invalid", limit=MAX_KEY))
    course = course_of(workspace)
    lab = _lab(workspace, course, upload)
    now = datetime.now(UTC)
    read = read_upload(
        upload,
        student,
        lab,
        at=now,
        limits=workspace.config.limits,
        rules=LabRules.of(workspace.registry),
        zone=course.zone,
    )
    source = f"{client} {key or secrets.token_hex(16)}"
    with Records(workspace) as records:
        made = _put(workspace, records, course, read.submission, source)
        known = records.store.attempts.recorded(student, lab)
    return Submitted(
        attempt=made.attempt.id,
        number=next(number for number, each in enumerate(known, start=1) if each.id == made.attempt.id),
        lab=lab,
        job=made.job.id,
        is_new=made.is_new,
        ignored=read.ignored,
    )


def _put(
    workspace: Workspace, records: Records, course: Course, submission: Submission, source: str
) -> AttemptJob:
    """Store the attempt if the rules accept it; others of the same student may arrive at the same time."""
    student, lab = submission.student, submission.lab
    person = records.store.people.find(student) or Person(id=student)
    needs = needs_of(workspace, lab, engine_key(workspace))
    for _ in range(_TRIES):
        seen = len(records.store.attempts.recorded(student, lab))
        theirs = Works(workspace, records, student).of(student, labs_of(course, lab))
        now = datetime.now(UTC)
        stand = standing(course, person, theirs, lab, now)
        attempt = Attempt(
            student=student,
            lab=lab,
            source=source,
            submission=submission.digest,
            submitted_at=now,
            received_at=now,
        )
        job = NewJob(seed=secrets.randbits(128), lane=Lane.INTERACTIVE, needs=needs)
        try:
            made = records.store.jobs.submit_attempt(
                submission, attempt, job, seen=seen if stand.accepts else _NOTHING
            )
        except ValueError as error:
            raise RefusedError(reason("submit-key-used")) from error
        if made is not None:
            return made
        if not stand.accepts:
            raise RefusedError(reason("attempt-not-accepted", rule=stand.rule))
    msg = f"{student} submits to {lab} more often at once than the store can check"
    raise InfrastructureError(msg)


def _lab(workspace: Workspace, course: Course, upload: Upload) -> str:
    """The lab that the upload names, or that its names hold. Raises: ``RefusedError``."""
    if upload.lab:
        return require_lab(workspace, course, upload.lab)
    titles = {lab: workspace.registry.get(lab).manifest.title for lab in student_labs(workspace, course)}
    found = lab_of_assignment(names_in(upload), titles)
    if found is None:
        raise RefusedError(reason("upload-lab-unknown", labs=tuple(sorted(titles))))
    return found
