"""Grade through the queue: each submission is a job, and the workers of an executor take the jobs."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from grader import plugins
from grader.course.dispatch import DispatchRequest, dispatch
from grader.course.former import former_overrides
from grader.course.grade import GradeOutcome, GradeRequest
from grader.course.notifier import Notifier
from grader.course.queue import QueueRequest, submit
from grader.course.records import Records, Result
from grader.course.refusal import refusal
from grader.course.rescore import rescore
from grader.course.result_writer import ResultWriter, key_of
from grader.course.results import results_of
from grader.course.versions import LabVersions, Versions
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.execution.dispatcher import CLAIM, Finished
from grader.execution.port import GROUP
from grader.intake import Intake
from grader.model.reason import reason
from grader.model.report import EngineInfo, Isolation
from grader.model.submission import Submission
from grader.store.job_values import Job, JobState

_ASK_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """The outcome of a run, and the jobs of it that failed or still wait."""

    outcome: GradeOutcome
    unfinished: tuple[Job, ...]


def grade_queued(
    workspace: Workspace,
    request: GradeRequest,
    executor: str,
    show: Callable[[Finished], None],
    notifier: Notifier,
) -> Executed:
    """Grade the submissions of ``request`` that are new or have changed, on the devices of ``executor``.

    Other jobs of the queue are served as well. If another dispatcher serves it, the run waits for that one. What
    interrupts the run leaves its jobs in the queue. Raises: ``UserError`` if there is no such executor or no result.
    """
    plugins.reference(GROUP, executor)
    with Records(workspace) as records:
        wanted = tuple(filter(request.selection.states(records.states()), request.intake.submissions))
    jobs = [
        job
        for submissions in _rounds(request.earlier, wanted)
        for job in _run(workspace, request, submissions, executor, show, notifier)
    ]
    keys = {key_of(each) for each in wanted}
    labs, students = {key.lab for key in keys}, {key.student for key in keys}
    rescore(workspace, labs=labs, students=students)
    with Records(workspace) as records:
        found = [each for each in records.latest_all(labs, students) if each.score.key in keys]
        ended = [job for each in jobs if (job := records.store.jobs.find(each.id)) is not None]
        refused = tuple(filter(request.selection.refused, request.intake.rejected))
        engine = _engine_of(found or records.latest_all())
        writer = ResultWriter(records, _versions(workspace, engine, trusted=request.trusted))
        results = [*found, *(writer.refuse(*refusal(workspace, each)) for each in refused)]
        keep = workspace.config.store.keep
        pruned = records.store.prune(keep) if keep else 0
        done = sum(job.state is JobState.DONE for job in ended)
        outcome = GradeOutcome(
            run=results_of(engine, results, records.files),
            course=results_of(engine, records.latest_all(), records.files),
            graded=done,
            elsewhere=0,
            left=len(ended) - done,
            pruned=pruned,
            stopped=None,
            former=former_overrides(records, [each.score for each in results]),
        )
    return Executed(outcome=outcome, unfinished=tuple(job for job in ended if job.state is not JobState.DONE))


def _rounds(earlier: Sequence[Submission], newest: Sequence[Submission]) -> Iterator[Sequence[Submission]]:
    """What may wait at one time: of a student's work on a lab only the newest waits in the queue."""
    before: Counter[tuple[str, str]] = Counter()
    rounds: dict[int, list[Submission]] = defaultdict(list)
    for each in earlier:
        work = (each.student, each.lab)
        rounds[before[work]].append(each)
        before[work] += 1
    yield from rounds.values()
    yield newest


def _run(  # noqa: PLR0913, PLR0917 - what to grade, and where
    workspace: Workspace,
    request: GradeRequest,
    submissions: Sequence[Submission],
    executor: str,
    show: Callable[[Finished], None],
    notifier: Notifier,
) -> Collection[Job]:
    """Submit jobs, and return them when none of them waits for a device that is there."""
    queued = submit(
        workspace,
        QueueRequest(
            intake=Intake(submissions=tuple(submissions)),
            engine=request.engine,
            fresh=request.fresh,
            trusted=request.trusted,
        ),
    )
    notifier.note(
        reason("jobs-to-grade", count=len(queued.jobs), executor=executor, unchanged=queued.unchanged)
    )
    if queued.jobs and _is_served(workspace):
        notifier.note(reason("queue-served-elsewhere"))
        _await(workspace, queued.jobs)
    elif queued.jobs:
        dispatch(workspace, DispatchRequest(executor=executor, until_empty=True), show)
    return queued.jobs


def _is_served(workspace: Workspace) -> bool:
    with Records(workspace) as records:
        return records.store.claims.holder(CLAIM) is not None


def _await(workspace: Workspace, jobs: Sequence[Job]) -> None:
    """Wait until another dispatcher has ended ``jobs``, or ends itself."""
    with Records(workspace) as records:
        while records.store.claims.holder(CLAIM) is not None and any(
            job is not None and job.state in {JobState.WAITING, JobState.RUNNING}
            for job in (records.store.jobs.find(each.id) for each in jobs)
        ):
            time.sleep(_ASK_SECONDS)


def _engine_of(results: Sequence[Result]) -> EngineInfo:
    """The engine of most of the ``results``."""
    if not results:
        msg = "No submission has a result."
        raise UserError(msg, hint="See `grader queue list`; the log says what became of each job.")
    return Counter(each.score.engine for each in results).most_common(1)[0][0]


def _versions(workspace: Workspace, engine: EngineInfo, *, trusted: bool) -> Versions:
    isolation = Isolation(sandbox="", trusted=trusted)
    return Versions(workspace=workspace, labs=LabVersions(workspace), engine=engine, isolation=isolation)
