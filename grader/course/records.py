"""The store as the services use it: reports after the decisions of staff, and keeping new ones."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from grader.course.rulings import decided
from grader.course.select import Known
from grader.course.versions import Versions
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.grading.batch import Graded
from grader.model.report import EngineInfo, Report
from grader.model.submission import SourceFile, Submission
from grader.model.verdict import Verdict
from grader.store.ports import Store
from grader.store.sql_store import open_store
from grader.store.values import Decision, Flagged, NewScore, Score, StoredFacts, SubmissionKey

FACTS_VERSION = 0
"""The version of the facts' documents: nothing is recorded yet besides the seed, so a new score needs a new run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A stored score and its report after the decisions of staff."""

    score: Score
    report: Report


class Records:
    """Context manager: the open store of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.store: Store = open_store(workspace.config)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.store.close()

    def latest(self, student: str, lab: str) -> Result:
        """The newest result of one student's work on one lab. Raises: ``UserError`` if there is none."""
        score = self.store.scores.latest(student, lab)
        if score is None:
            msg = f"No submission of {student} is graded for {lab}."
            raise UserError(msg, hint="Grade it with `grader grade PATH`.")
        (result,) = self.results([score])
        return result

    def latest_all(self, labs: Collection[str] = (), students: Collection[str] = ()) -> tuple[Result, ...]:
        """The newest result of every student and lab, or of those named; by lab and student."""
        return self.results(
            score
            for score in self.store.scores.latest_all()
            if (not labs or score.key.lab in labs) and (not students or score.key.student in students)
        )

    def states(self) -> dict[tuple[str, str], Known]:
        """Verdict and submission of the newest score of every student and lab."""
        return {
            (score.key.student, score.key.lab): Known(verdict=score.verdict, submission=score.key.digest)
            for score in self.store.scores.latest_all()
        }

    def results(self, scores: Iterable[Score]) -> tuple[Result, ...]:
        """The results of ``scores``, in their order."""
        listed = tuple(scores)
        reports = self.store.scores.reports(listed)
        rulings = self._decisions(listed)
        return tuple(
            Result(
                score=score,
                report=decided(reports[score.id], score, rulings.get((score.key.student, score.key.lab), ())),
            )
            for score in listed
        )

    def flagged(self, lab: str | None = None) -> tuple[Flagged, ...]:
        """Comparable scores with a flag, and the decisions about each; the oldest score first."""
        return self.store.scores.flagged(lab)

    def files(self, key: SubmissionKey) -> tuple[SourceFile, ...]:
        """The files of a submission; none if an older release graded it and kept no copy."""
        return self.store.submissions.files(key)

    def _decisions(self, scores: Collection[Score]) -> dict[tuple[str, str], list[Decision]]:
        one = {(score.key.student, score.key.lab) for score in scores}
        student, lab = next(iter(one)) if len(one) == 1 else (None, None)
        found: dict[tuple[str, str], list[Decision]] = defaultdict(list)
        for decision in self.store.decisions.list(lab, student) if scores else ():
            found[decision.student, decision.lab].append(decision)
        return found


class Gradebook:
    """The part of the store that a run writes: submissions, and the scores of what it grades."""

    def __init__(self, records: Records, versions: Versions) -> None:
        self._store = records.store
        self._records = records
        self.versions = versions

    @property
    def engine(self) -> EngineInfo:
        """The engine of the run."""
        return self.versions.engine

    def submit(self, submissions: Iterable[Submission]) -> None:
        """Keep the files of ``submissions``."""
        for submission in submissions:
            self._store.submissions.put(submission, datetime.now(UTC))

    def known(self, submissions: Iterable[Submission]) -> dict[tuple[str, str], Result]:
        """The results of submissions that need no run, by student and lab. Each is the newest of its student.

        A submission that was not gradable is left out, so that it is tried again.
        """
        newest = {(score.key.student, score.key.lab): score for score in self._store.scores.latest_all()}
        scores = []
        for submission in submissions:
            score = self.find(submission)
            if score is not None:
                latest = newest[submission.student, submission.lab]
                scores.append(score if score.id == latest.id else self._as_newest(score))
        return {(each.score.key.student, each.score.key.lab): each for each in self._records.results(scores)}

    def find(self, submission: Submission) -> Score | None:
        """The score of ``submission`` from a run like this one, unless it was not gradable."""
        facts = self.versions.facts_key(submission).digest
        score = self._store.scores.find(key_of(submission), facts, self.versions.rubric(submission.lab))
        return None if score is None or score.verdict is Verdict.NOT_GRADABLE else score

    def keep(self, graded: Graded) -> Result:
        """Store one finished report; it is on disk when this returns."""
        facts = self.versions.facts_key(graded.submission)
        now = datetime.now(UTC)
        document = StoredFacts(
            key=facts,
            version=FACTS_VERSION,
            data=b"",
            seed=graded.seed,
            created_at=now,
            seconds=graded.seconds,
        )
        self._store.facts.put(document, replace=True)
        return self._put(graded.submission, facts.digest, graded.report, now)

    def refuse(self, submission: Submission, report: Report) -> Result:
        """Store that a student's submission was refused, unless that is the newest already."""
        now = datetime.now(UTC)
        self._store.submissions.put(submission, now)
        latest = self._store.scores.latest(submission.student, submission.lab)
        if latest is not None and latest.key == key_of(submission):
            (result,) = self._records.results([latest])
            if (result.report.reason, result.report.file) == (report.reason, report.file):
                return result
        return self._put(submission, None, report, now)

    def _as_newest(self, score: Score) -> Score:
        """The student submitted earlier work again: its score becomes the newest."""
        again = NewScore(
            key=score.key,
            facts=score.facts,
            lab_code=score.lab_code,
            rubric=score.rubric,
            engine=score.engine,
            report=self._store.scores.report(score),
        )
        return self._store.scores.put(again, datetime.now(UTC))

    def _put(self, submission: Submission, facts: str | None, report: Report, now: datetime) -> Result:
        score = NewScore(
            key=key_of(submission),
            facts=facts,
            lab_code=self.versions.lab_code(submission.lab),
            rubric=self.versions.rubric(submission.lab),
            engine=self.engine,
            report=report,
        )
        (result,) = self._records.results([self._store.scores.put(score, now)])
        return result


def key_of(submission: Submission) -> SubmissionKey:
    """The store's key of ``submission``."""
    return SubmissionKey(student=submission.student, lab=submission.lab, digest=submission.digest)
