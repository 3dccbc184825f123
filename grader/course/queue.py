"""The queue: submit work to it, see what waits, cancel or retry a job."""

import secrets
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from grader.config.settings import AUTO
from grader.course.first_seen import record_attempts
from grader.course.records import Records
from grader.course.versions import LabVersions
from grader.course.workspace import Workspace
from grader.engines.registry import support
from grader.errors import UserError
from grader.intake import Intake
from grader.model.needs import Needs
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.store.job_values import Job, JobEvent, JobState, Lane, NewJob, Place
from grader.store.ports import Store

LANES = {lane.name.lower(): lane for lane in Lane}
"""The lanes by their names."""

STATES = {state.value: state for state in JobState}
"""The states by their names."""

UNFINISHED = (JobState.WAITING, JobState.RUNNING, JobState.FAILED)
"""The states that a list shows unless others are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRequest:
    """What to submit, and how it waits.

    ``engine`` and ``device``: every job runs on this engine and on a device of this model, so that a class is held to
    one. ``fresh``: also what has a result by the lab's current version.
    """

    intake: Intake
    lane: Lane = Lane.CLASS
    engine: str | None = None
    device: str = ""
    not_before: datetime | None = None
    fresh: bool = False
    trusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """What was submitted: the jobs, and how many submissions have a result already."""

    jobs: tuple[Job, ...]
    unchanged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobDetails:
    """A job, where it stands if it waits, and what happened to it."""

    job: Job
    place: Place | None
    events: tuple[JobEvent, ...] = field(default=())


def submit(workspace: Workspace, request: QueueRequest) -> Queued:
    """Add a job for each submission of ``request``. Raises: ``UserError`` for an engine that is not installed."""
    labs = LabVersions(workspace)
    engine = engine_key(workspace, request.engine)
    with Records(workspace) as records:
        submissions = request.intake.submissions
        todo = [
            each
            for each in submissions
            if request.fresh or not _has_result(records.store, each, labs, engine, request.device)
        ]
        now = datetime.now(UTC)
        record_attempts(records.store, todo, now)
        jobs = [
            records.store.jobs.submit(
                each,
                NewJob(
                    seed=secrets.randbits(128),
                    lane=request.lane,
                    needs=needs_of(workspace, each.lab, engine, request.device),
                    trusted=request.trusted,
                    not_before=request.not_before,
                ),
                now,
            )
            for each in todo
        ]
    return Queued(jobs=tuple(jobs), unchanged=len(submissions) - len(todo))


def listed(
    workspace: Workspace, states: Collection[JobState], lab: str | None, student: str | None
) -> tuple[Job, ...]:
    """The jobs in ``states``, in the order in which they run."""
    with Records(workspace) as records:
        return records.store.jobs.list(states or UNFINISHED, lab, student)


def details(workspace: Workspace, job: int) -> JobDetails:
    """One job. Raises: ``UserError`` if there is none."""
    with Records(workspace) as records:
        jobs = records.store.jobs
        found = jobs.find(job)
        if found is None:
            raise _no_job(job)
        return JobDetails(job=found, place=jobs.place(job), events=jobs.events(job))


def cancel(workspace: Workspace, jobs: Iterable[int]) -> tuple[int, ...]:
    """End ``jobs``. Returns: those that had ended before. Raises: ``UserError`` if one does not exist."""
    return _changed(workspace, jobs, lambda store, job: store.jobs.cancel(job))


def retry(workspace: Workspace, jobs: Iterable[int]) -> tuple[int, ...]:
    """Let failed or cancelled ``jobs`` wait again. Returns: the others. Raises: ``UserError`` if one does not exist."""
    return _changed(workspace, jobs, lambda store, job: store.jobs.retry(job))


def _changed(
    workspace: Workspace, jobs: Iterable[int], change: Callable[[Store, int], bool]
) -> tuple[int, ...]:
    asked = tuple(jobs)
    with Records(workspace) as records:
        for job in asked:
            if records.store.jobs.find(job) is None:
                raise _no_job(job)
        return tuple(job for job in asked if not change(records.store, job))


def engine_key(workspace: Workspace, chosen: str | None = None) -> str:
    """The key of the engine that is ``chosen`` or configured; empty: any. Raises: ``UserError`` for an unknown one."""
    choice = chosen or workspace.config.engine.kind
    return "" if choice == AUTO else support(choice).key


def needs_of(workspace: Workspace, lab: str, engine: str = "", device: str = "") -> Needs:
    """The needs of the jobs of ``lab``, on an ``engine`` and a model of ``device``; empty: those of the lab."""
    own = workspace.registry.get(lab).manifest.needs
    return replace(own, engine=engine or own.engine, device=device or own.device)


def _has_result(store: Store, submission: Submission, labs: LabVersions, engine: str, device: str) -> bool:
    """Whether the newest score of the student's work is of these files and by the lab's version of today."""
    score = store.scores.latest(submission.student, submission.lab)
    return (
        score is not None
        and score.key.digest == submission.digest
        and score.lab_code == labs.code(submission.lab).digest
        and score.verdict is not Verdict.NOT_GRADABLE
        and engine in {"", score.engine.kind}
        and device.lower() in score.engine.device.lower()
    )


def _no_job(job: int) -> UserError:
    msg = f"There is no job {job}."
    return UserError(msg, hint="See `grader queue list --all`.")
