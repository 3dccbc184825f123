"""Grade what is new or has changed, and keep it."""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from grader.course.causes import Caused
from grader.course.environment import open_environment
from grader.course.former import former_overrides
from grader.course.notifier import Notifier
from grader.course.records import Records, Result
from grader.course.refusal import refusal
from grader.course.result_writer import Prepared, ResultWriter
from grader.course.results import Results, results_of
from grader.course.select import Selection
from grader.course.sharing import POLL_SECONDS, Sharing
from grader.course.versions import LabVersions, Versions
from grader.course.workspace import Workspace
from grader.grading.batch import Batch, Graded, Progress
from grader.intake import Intake
from grader.model.reason import Reason, as_written
from grader.model.report import EngineInfo, Isolation
from grader.model.submission import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRequest:
    """What to grade, and how. ``None``: as configured. ``fresh``: also what has not changed.

    ``is_stored``: the store has the submissions with their attempts, so that nothing is received. ``earlier`` is work
    before that of ``intake``, oldest first; it is graded first, so that the newest result is that of the newest work.
    """

    intake: Intake
    earlier: tuple[Submission, ...] = ()
    is_stored: bool = False
    selection: Selection = field(default_factory=Selection)
    engine: str | None = None
    jobs: int | None = None
    fresh: bool = False
    trusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradePlan:
    """What a run will do: how many submissions are unchanged, how many it grades, where.

    ``rescored`` and ``again`` say why results were scored again, and why unchanged submissions are graded again.
    ``alike`` of those to grade have the content of another one, and take its facts.
    """

    unchanged: int
    todo: int
    engine: EngineInfo
    isolation: Isolation
    rescored: tuple[Caused, ...]
    again: tuple[Caused, ...]
    alike: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeOutcome:
    """The results of the selected submissions and of the whole course.

    ``graded`` counts what this run graded, ``elsewhere`` what other graders did at the same time, ``left`` what is not
    done because the run was ``stopped``, ``pruned`` the older results that ``[store] keep`` removed. ``former`` states
    the overrides that hold for former submissions.
    """

    run: Results
    course: Results
    graded: int
    elsewhere: int
    left: int
    pruned: int
    stopped: KeyboardInterrupt | None
    former: tuple[Reason, ...]


GradeView = Callable[[GradePlan], AbstractContextManager[Callable[[Progress], None]]]
"""Called with the plan before the work starts; what it opens receives each step."""


def grade(workspace: Workspace, request: GradeRequest, view: GradeView, notifier: Notifier) -> GradeOutcome:
    """Grade the submissions of ``request`` that are new or have changed.

    Each report is stored as soon as it is finished. ``KeyboardInterrupt`` ends the grading early; the outcome has what
    was finished by then. Graders on one store share the work: each submission is graded by one of them.
    Raises: ``UserError`` if this machine cannot grade.
    """
    cancelled = threading.Event()
    with (
        open_environment(
            workspace, request.engine, cancelled, notifier, trusted=request.trusted
        ) as environment,
        Records(workspace) as records,
    ):
        jobs = request.jobs or workspace.config.jobs.resolved(on_gpu=environment.engine_support.on_gpu)
        batch = Batch(
            workspace.registry.labs,
            environment,
            jobs,
            cancelled,
            lambda said: notifier.warn(as_written(said)),
        )
        versions = Versions(
            workspace=workspace,
            labs=LabVersions(workspace),
            engine=environment.engine_info,
            isolation=environment.isolation,
        )
        writer = ResultWriter(records, versions)
        wanted = tuple(filter(request.selection.states(records.states()), request.intake.submissions))
        if not request.is_stored:
            writer.submit(wanted)
        earlier = _Run(writer, records, request.earlier)
        stopped = earlier.grade(batch, view) if request.earlier else None
        run = _Run(writer, records, wanted, fresh=request.fresh)
        if stopped is None:
            stopped = run.grade(batch, view)
        results = [*run.results, *_refused(workspace, request, writer)]
        keep = workspace.config.store.keep
        pruned = records.store.prune(keep) if keep else 0
        return GradeOutcome(
            run=results_of(versions.engine, results, records.files),
            course=results_of(versions.engine, records.latest_all(), records.files),
            graded=earlier.graded + run.graded,
            elsewhere=earlier.elsewhere + run.elsewhere,
            left=earlier.left + run.left,
            pruned=pruned,
            stopped=stopped,
            former=former_overrides(records, {result.score.key: result.score for result in results}.values()),
        )


class _Run:
    """One run over ``submissions``, with an open store."""

    def __init__(
        self,
        writer: ResultWriter,
        records: Records,
        submissions: tuple[Submission, ...],
        *,
        fresh: bool = False,
    ) -> None:
        self.writer = writer
        self._sharing = Sharing(claims=records.store.claims, engine=writer.versions.engine)
        prepared = Prepared(results=(), todo=submissions) if fresh else writer.prepare(submissions)
        self._prepared = prepared
        self._todo = prepared.todo
        self._first, self._alike = (prepared.todo, ()) if fresh else _by_content(writer, prepared.todo)
        self._newest = {each: score.id for each in self._todo if (score := writer.find(each))}
        self._held: list[Submission] = []
        self._keeping: Submission | None = None
        self.results: list[Result] = list(prepared.results)
        self.graded = self.elsewhere = 0

    @property
    def left(self) -> int:
        """How many submissions of the plan are not done."""
        return len(self._todo) - self.graded - self.elsewhere

    def grade(self, batch: Batch, view: GradeView) -> KeyboardInterrupt | None:
        """Do what is to do. Returns: what interrupted it."""
        versions = self.writer.versions
        plan = GradePlan(
            unchanged=len(self._prepared.results) - sum(each.count for each in self._prepared.rescored),
            todo=len(self._todo),
            engine=versions.engine,
            isolation=versions.isolation,
            rescored=self._prepared.rescored,
            again=self._prepared.again,
            alike=len(self._alike),
        )
        try:
            with view(plan) as show, self._sharing.renewed():
                self._grade_all(self._first, batch, show)
                self._grade_all(self._score_alike(), batch, show)
        except KeyboardInterrupt as interrupt:
            if self._keeping is not None:
                self._count_if_stored(self._keeping)
            return interrupt
        return None

    def _grade_all(self, todo: Sequence[Submission], batch: Batch, show: Callable[[Progress], None]) -> None:
        while todo:
            batch.run(todo, self._keep, show, self._claim)
            todo, self._held = self._held, []
            # Another grader holds them: it finishes them, or its claims lapse.
            if todo:
                threading.Event().wait(POLL_SECONDS)

    def _score_alike(self) -> Sequence[Submission]:
        """Score by the facts about the same content. Returns: those without facts, which are graded themselves."""
        prepared = self.writer.prepare(self._alike)
        self.results += prepared.results
        self.graded += len(prepared.results)
        return prepared.todo

    def _count_if_stored(self, submission: Submission) -> None:
        """Count what was stored, although the interrupt came before it was counted."""
        score = self.writer.find(submission)
        if score is not None and score.id != self._newest.get(submission):
            self.results += self.writer.prepare([submission]).results
            self.graded += 1

    def _claim(self, submission: Submission) -> bool:
        if not self._sharing.claim(submission):
            self._held.append(submission)
            return False
        score = self.writer.find(submission)
        if score is None or score.id == self._newest.get(submission):
            return True
        # Another grader has finished it since this run began.
        self._sharing.release(submission)
        self.results += self.writer.prepare([submission]).results
        self.elsewhere += 1
        return False

    def _keep(self, graded: Graded) -> None:
        self._keeping = graded.submission
        result = self.writer.keep(graded)
        self._keeping = None
        self.results.append(result)
        self.graded += 1
        self._sharing.release(graded.submission)


def _by_content(
    writer: ResultWriter, submissions: Iterable[Submission]
) -> tuple[tuple[Submission, ...], tuple[Submission, ...]]:
    """The first submission of each content, and the others: a group has one work, and many submit the starter."""
    first: dict[str, Submission] = {}
    contents = [(writer.versions.facts_key(each).digest, each) for each in submissions]
    for content, submission in contents:
        first.setdefault(content, submission)
    others = tuple(submission for content, submission in contents if first[content] is not submission)
    return tuple(first.values()), others


def _refused(workspace: Workspace, request: GradeRequest, writer: ResultWriter) -> list[Result]:
    """The results of submissions that cannot be read."""
    return [
        writer.refuse(*refusal(workspace, rejected))
        for rejected in filter(request.selection.refused, request.intake.rejected)
    ]
