"""Run a regrade set: each row is scored or graded again once, and its new score is stored beside."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from grader.course.causes import Cause, Why, between, counted
from grader.course.environment import open_environment
from grader.course.grade import GradePlan, GradeView
from grader.course.notifier import Notifier
from grader.course.records import Records
from grader.course.regrade import find
from grader.course.result_writer import ResultWriter
from grader.course.scoring import Scorer
from grader.course.sharing import POLL_SECONDS, Sharing
from grader.course.versions import LabVersions, Versions, toolchain_version
from grader.course.workspace import Workspace
from grader.grading.batch import Batch, Graded, Progress
from grader.grading.environment import GradingEnvironment
from grader.model.reason import as_written
from grader.model.submission import Submission, SubmissionIdentity
from grader.model.verdict import Verdict
from grader.store.regrade_tables import RowState
from grader.store.regrades import Proposal, RegradeRow
from grader.store.values import Score


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How to run a set. ``None``: as configured."""

    number: int | None = None
    engine: str | None = None
    jobs: int | None = None
    trusted: bool = False


@dataclass(slots=True)
class RegradeRun:
    """How many rows a run scored from stored facts, graded, found unchanged or superseded, and left waiting.

    ``not_gradable``: the grader failed, so that these rows wait. ``other_engine``: they were graded on another device,
    so that the new result could not be compared; they wait for a run there, or for one on a named engine.
    """

    regrade: int
    rescored: int = 0
    graded: int = 0
    unchanged: int = 0
    superseded: int = 0
    not_gradable: int = 0
    other_engine: int = 0
    left: int = 0
    stopped: KeyboardInterrupt | None = field(default=None)


def run(workspace: Workspace, options: RunOptions, view: GradeView, notifier: Notifier) -> RegradeRun:
    """Do what is waiting in a set. Every finished row is stored at once, so a run that is killed loses none.

    What counts does not change. Several runs of one set share the work.
    Raises: ``UserError`` if there is no such set, or this machine cannot grade.
    """
    with Records(workspace) as records:
        regrade = find(records, options.number)
        done = RegradeRun(regrade=regrade.id)
        rescoring = _Rescoring(workspace, records, done, fresh=regrade.fresh)
        todo = [row for row in _waiting(records, regrade.id) if not rescoring.settles(row)]
        if todo:
            _grade(workspace, records, options, todo, rescoring.again, done, view, notifier)
        done.left = len(_waiting(records, regrade.id))
    return done


def _waiting(records: Records, regrade: int) -> list[RegradeRow]:
    return [row for row in records.store.regrades.rows(regrade) if row.state == RowState.WAITING]


class _Rescoring:
    """Settles rows with stored facts that a run would find again."""

    def __init__(self, workspace: Workspace, records: Records, done: RegradeRun, *, fresh: bool) -> None:
        self._workspace = workspace
        self._store = records.store
        self._labs = LabVersions(workspace)
        self._scorer = Scorer(workspace, records.store, self._labs)
        self._toolchain = toolchain_version(workspace)
        self._fresh = fresh
        self._done = done
        self.again: list[Why] = []

    def settles(self, row: RegradeRow) -> bool:
        """Whether ``row`` needs no run."""
        score = self._store.scores.latest(row.student, row.lab)
        if score is None or score.id != row.before:
            self._done.superseded += self._store.regrades.settle(row, RowState.SUPERSEDED)
            return True
        why = self._why_again(score)
        if why is None and score.rubric == self._labs.rubric(row.lab).digest:
            self._done.unchanged += self._store.regrades.settle(row, RowState.UNCHANGED)
            return True
        if why is None and (proposal := self._rescored(score)) is not None:
            self._done.rescored += self._store.regrades.propose(row, proposal)
            return True
        self.again.append(why or Why(lab=row.lab, cause=Cause.TOOLS))
        return False

    def _why_again(self, score: Score) -> Why | None:
        """Why stored facts do not do."""
        lab = score.key.lab
        code = self._labs.code(lab)
        if score.lab_code != code.digest:
            return between(lab, Cause.LAB_CODE, self._store.lab_versions.parts(score.lab_code), code.parts)
        facts = None if score.facts is None else self._store.facts.read(score.facts)
        if self._fresh or facts is None or facts.key.toolchain != self._toolchain:
            return Why(lab=lab, cause=Cause.TOOLS)
        return None

    def _rescored(self, score: Score) -> Proposal | None:
        facts = None if score.facts is None else self._store.facts.read(score.facts)
        key = score.key
        identity = SubmissionIdentity(
            student=key.student, lab=key.lab, language=score.language, path=score.path
        )
        report = None if facts is None else self._scorer.report(identity, facts)
        if facts is None or report is None:
            return None
        self._scorer.keep_versions(key.lab)
        return Proposal(score=self._scorer.new_score(key, facts, report), facts=None)


def _grade(  # noqa: PLR0913, PLR0917 - what a run needs
    workspace: Workspace,
    records: Records,
    options: RunOptions,
    todo: Sequence[RegradeRow],
    again: Sequence[Why],
    done: RegradeRun,
    view: GradeView,
    notifier: Notifier,
) -> None:
    cancelled = threading.Event()
    with open_environment(
        workspace, options.engine, cancelled, notifier, trusted=options.trusted
    ) as environment:
        jobs = options.jobs or workspace.config.jobs.resolved(on_gpu=environment.engine_support.on_gpu)
        warn = notifier.warn
        batch = Batch(
            workspace.registry.labs, environment, jobs, cancelled, lambda said: warn(as_written(said))
        )
        grading = _Grading(workspace, records, environment, done)
        submissions = grading.submissions(todo, any_engine=options.engine is not None)
        plan = GradePlan(
            unchanged=done.unchanged,
            todo=len(submissions),
            engine=environment.engine_info,
            isolation=environment.isolation,
            rescored=(),
            again=counted(again),
        )
        try:
            with view(plan) as show, grading.sharing.renewed():
                grading.run(batch, submissions, show)
        except KeyboardInterrupt as interrupt:
            done.stopped = interrupt


class _Grading:
    """Grades rows, and stores what each proposes."""

    def __init__(
        self, workspace: Workspace, records: Records, environment: GradingEnvironment, done: RegradeRun
    ) -> None:
        labs = LabVersions(workspace)
        versions = Versions(
            workspace=workspace, labs=labs, engine=environment.engine_info, isolation=environment.isolation
        )
        self._records = records
        self._writer = ResultWriter(records, versions)
        self._scorer = Scorer(workspace, records.store, labs)
        self._done = done
        self._rows: dict[Submission, RegradeRow] = {}
        self._held: list[Submission] = []
        self.sharing = Sharing(claims=records.store.claims, engine=environment.engine_info)

    def submissions(self, rows: Iterable[RegradeRow], *, any_engine: bool) -> tuple[Submission, ...]:
        """The stored submissions of ``rows``, apart from those that another engine graded unless ``any_engine``."""
        for row in rows:
            score = self._records.store.scores.latest(row.student, row.lab)
            if score is None:
                continue
            if score.facts is not None and score.engine != self._writer.versions.engine and not any_engine:
                self._done.other_engine += 1
                continue
            submission = Submission(
                student=row.student,
                lab=row.lab,
                language=score.language,
                files=self._records.files(score.key),
                path=score.path,
            )
            self._rows[submission] = row
        return tuple(self._rows)

    def run(self, batch: Batch, submissions: Sequence[Submission], show: Callable[[Progress], None]) -> None:
        """Grade all that no other run finishes."""
        todo = list(submissions)
        while todo:
            batch.run(todo, self._keep, show, self._claim)
            todo, self._held = self._held, []
            if todo:
                threading.Event().wait(POLL_SECONDS)

    def _claim(self, submission: Submission) -> bool:
        if not self.sharing.claim(submission):
            self._held.append(submission)
            return False
        if self._records.store.regrades.state(self._rows[submission]) == RowState.WAITING:
            return True
        self.sharing.release(submission)
        return False

    def _keep(self, graded: Graded) -> None:
        if graded.report.verdict is Verdict.NOT_GRADABLE:
            self._done.not_gradable += 1
        else:
            self._scorer.keep_versions(graded.submission.lab)
            row = self._rows[graded.submission]
            self._done.graded += self._records.store.regrades.propose(row, self._writer.proposal(graded))
        self.sharing.release(graded.submission)
