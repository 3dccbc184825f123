"""Grade what is new or has changed, and keep it."""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from grader.config.settings import EngineChoice
from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.report_store import ReportStore
from grader.course.results import results_document
from grader.course.workspace import Workspace
from grader.grading.batch import Batch, Progress
from grader.grading.environment import GradingEnvironment
from grader.grading.submission import not_graded
from grader.intake import Intake, Rejected
from grader.labs.registry import Registry
from grader.model.report import EngineInfo, Isolation, Report, ResultsDocument
from grader.model.run import Fault
from grader.model.submission import Submission
from grader.report.summary import ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRequest:
    """What to grade, and how. ``None``: as configured. ``fresh``: also what has not changed."""

    intake: Intake
    engine: EngineChoice | None = None
    jobs: int | None = None
    fresh: bool = False
    trusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradePlan:
    """What a run will do: how many submissions are unchanged, how many it grades, where."""

    unchanged: int
    todo: int
    engine: EngineInfo
    isolation: Isolation


GradeView = Callable[[GradePlan], AbstractContextManager[Callable[[Progress], None]]]
"""Called with the plan before the work starts; what it opens receives each step."""


def grade(
    workspace: Workspace, request: GradeRequest, view: GradeView, notifier: Notifier
) -> ResultsDocument:
    """The reports of all submissions of ``request``: stored ones, and new ones for what is new or has changed.

    Each report is stored as soon as it is finished, so an interrupted run loses none.
    Raises: ``UserError`` if this machine cannot grade.
    """
    cancelled = threading.Event()
    with open_environment(
        workspace, request.engine, cancelled, notifier, trusted=request.trusted
    ) as environment:
        jobs = request.jobs or workspace.config.jobs.resolved(environment.engine)
        batch = Batch(workspace.registry.labs, environment, jobs, cancelled, notifier.warn)
        reports = _graded(workspace, request, environment, batch, view)
    refused = [_refused(rejected, workspace.registry) for rejected in request.intake.rejected]
    return results_document(environment.engine_info, ordered([*reports, *refused]))


def _graded(
    workspace: Workspace,
    request: GradeRequest,
    environment: GradingEnvironment,
    batch: Batch,
    view: GradeView,
) -> list[Report]:
    submissions = request.intake.submissions
    with ReportStore(workspace, environment.engine_info, environment.isolation) as store:
        known = {} if request.fresh else store.known(submissions)
        todo = [submission for submission in submissions if (submission.student, submission.lab) not in known]
        plan = GradePlan(
            unchanged=len(known),
            todo=len(todo),
            engine=environment.engine_info,
            isolation=environment.isolation,
        )
        with view(plan) as show:
            graded = batch.run(todo, store.keep, show) if todo else []
        return [*known.values(), *map(store.decided, graded)]


def _refused(rejected: Rejected, registry: Registry) -> Report:
    submission = Submission(
        student=rejected.student, lab=rejected.lab, language=rejected.language, files=(), path=rejected.path
    )
    rubric = registry.get(rejected.lab).manifest.rubric
    return not_graded(submission, Fault(verdict=rejected.verdict, reason=rejected.reason), rubric.max_score)
