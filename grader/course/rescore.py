"""Score what is stored by the rubrics that apply now, or show what that would change."""

from collections.abc import Collection
from dataclasses import dataclass

from grader.course.causes import Cause, Caused, Why, between, counted
from grader.course.records import Records, Result
from grader.course.scoring import Scorer
from grader.course.versions import LabVersions
from grader.course.workspace import Workspace
from grader.model.submission import SubmissionIdentity
from grader.report.changes import ReportChange, changes
from grader.store.values import NewScore, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescored:
    """What was or would be scored again, why, and which results differ.

    ``again``: facts do not suffice for these, so they must be graded again; ``unchanged``: their rubric is the same.
    """

    rescored: tuple[Caused, ...]
    again: tuple[Caused, ...]
    unchanged: int
    changes: tuple[ReportChange, ...]


def rescore(
    workspace: Workspace,
    *,
    labs: Collection[str] = (),
    students: Collection[str] = (),
    dry_run: bool = False,
) -> Rescored:
    """Score the latest submissions of all or the named labs and students; with ``dry_run`` nothing is stored.

    Raises: ``UserError`` for an unknown lab.
    """
    for lab in labs:
        workspace.registry.get(lab)
    with Records(workspace) as records:
        run = _Rescoring(workspace, records, dry_run=dry_run)
        for score in records.latest_scores(labs, students):
            run.rescore(score)
        return run.outcome()


class _Rescoring:
    def __init__(self, workspace: Workspace, records: Records, *, dry_run: bool) -> None:
        self._known_labs = workspace.registry.labs
        self._records = records
        self._dry_run = dry_run
        self._labs = LabVersions(workspace)
        self._scorer = Scorer(workspace, records.store, self._labs)
        self._rescored: list[Why] = []
        self._again: list[Why] = []
        self._before: list[Score] = []
        self._after: list[NewScore] = []
        self._unchanged = 0

    def rescore(self, score: Score) -> None:
        lab = score.key.lab
        if self._known_labs.find(lab) is None:
            self._again.append(Why(lab=lab, cause=Cause.NO_LAB))
        elif score.lab_code != (code := self._labs.code(lab)).digest:
            self._again.append(between(lab, Cause.LAB_CODE, self._parts(score.lab_code), code.parts))
        elif score.facts is None or score.rubric == self._labs.rubric(lab).digest:
            self._unchanged += 1
        else:
            self._from_facts(score, score.facts)

    def outcome(self) -> Rescored:
        before = self._records.results(self._before)
        scores = self._before if self._dry_run else self._scorer.keep(self._after)
        after = self._records.decided(
            Result(score=score, report=new.report) for score, new in zip(scores, self._after, strict=True)
        )
        differing = changes((each.report for each in before), (each.report for each in after))
        return Rescored(
            rescored=counted(self._rescored),
            again=counted(self._again),
            unchanged=self._unchanged,
            changes=differing,
        )

    def _from_facts(self, score: Score, digest: str) -> None:
        facts = self._records.store.facts.read(digest)
        report = None if facts is None else self._scorer.report(_identity(score), facts)
        if facts is None or report is None:
            self._again.append(Why(lab=score.key.lab, cause=Cause.TOOLS))
            return
        rubric = self._labs.rubric(score.key.lab)
        self._rescored.append(between(score.key.lab, Cause.RUBRIC, self._parts(score.rubric), rubric.parts))
        self._before.append(score)
        self._after.append(self._scorer.new_score(score.key, facts, report))

    def _parts(self, digest: str) -> dict[str, str]:
        return dict(self._records.store.lab_versions.parts(digest))


def _identity(score: Score) -> SubmissionIdentity:
    return SubmissionIdentity(
        student=score.key.student, lab=score.key.lab, language=score.language, path=score.path
    )
