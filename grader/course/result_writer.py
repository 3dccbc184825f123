"""What a run writes to the store: submissions, facts, and the scores of what it grades or scores again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.causes import Cause, Caused, Why, between, counted
from grader.course.first_seen import record_attempts
from grader.course.records import Records, Result
from grader.course.scoring import Scorer
from grader.course.versions import Versions
from grader.grading.batch import Graded
from grader.model.facts import FACTS_VERSION, encode_facts
from grader.model.report import Report
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.store.regrades import Proposal
from grader.store.values import NewScore, Score, StoredFacts, SubmissionKey


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What a run needs not do, and what it must: results that are known or were scored again, and the rest.

    ``rescored`` and ``again`` say why results are scored or submissions graded again. New and changed submissions
    need no cause.
    """

    results: tuple[Result, ...]
    todo: tuple[Submission, ...]
    rescored: tuple[Caused, ...] = ()
    again: tuple[Caused, ...] = ()


class ResultWriter:
    """The store as a run with ``versions`` writes it."""

    def __init__(self, records: Records, versions: Versions) -> None:
        self._store = records.store
        self._records = records
        self._labs = versions.labs
        self._scorer = Scorer(versions.workspace, records.store, versions.labs)
        self.versions = versions

    def submit(self, submissions: Iterable[Submission]) -> None:
        """Keep the files of ``submissions``, each with an attempt."""
        received, now = tuple(submissions), datetime.now(UTC)
        for submission in received:
            self._store.submissions.put(submission, now)
        record_attempts(self._store, received, now)

    def prepare(self, submissions: Iterable[Submission]) -> Prepared:
        """Find what needs no run. Each result is the newest of its student.

        A submission that was not gradable is graded again.
        """
        newest = {(score.key.student, score.key.lab): score for score in self._store.scores.latest_all()}
        scores, new_scores, todo = [], [], []
        rescored: list[Why] = []
        again: list[Why] = []
        for submission in submissions:
            latest = newest.get((submission.student, submission.lab))
            if (score := self.find(submission)) is not None:
                scores.append(score if latest is None or score.id == latest.id else self._as_newest(score))
            elif (new := self._rescored(submission)) is not None:
                new_scores.append(new)
                rescored += self._why_rescored(submission, latest)
            else:
                todo.append(submission)
                again += self._why_again(submission, latest)
        return Prepared(
            results=self._records.results([*scores, *self._scorer.keep(new_scores)]),
            todo=tuple(todo),
            rescored=counted(rescored),
            again=counted(again),
        )

    def find(self, submission: Submission) -> Score | None:
        """The score of ``submission`` from a run like this one, unless it was not gradable."""
        facts = self.versions.facts_key(submission).digest
        rubric = self._labs.rubric(submission.lab).digest
        score = self._store.scores.find(key_of(submission), facts, rubric)
        return None if score is None or score.verdict is Verdict.NOT_GRADABLE else score

    def keep(self, graded: Graded) -> Result:
        """Store one finished report and its facts; they are on disk when this returns."""
        new = self.proposal(graded)
        if new.facts is not None:
            self._store.facts.put(new.facts, replace=True)
        return self._result(*self._scorer.keep([new.score]))

    def proposal(self, graded: Graded) -> Proposal:
        """One finished report and its facts as they are stored."""
        if graded.facts is None:
            return Proposal(score=self._without_facts(graded.submission, graded.report), facts=None)
        facts = StoredFacts(
            key=self.versions.facts_key(graded.submission),
            version=FACTS_VERSION,
            data=encode_facts(graded.facts),
            seed=graded.seed,
            created_at=datetime.now(UTC),
            seconds=graded.seconds,
        )
        new = self._scorer.new_score(key_of(graded.submission), facts, graded.report)
        return Proposal(score=new, facts=facts)

    def refuse(self, submission: Submission, report: Report) -> Result:
        """Store that a student's submission was refused, unless that is the newest already."""
        self.submit([submission])
        latest = self._store.scores.latest(submission.student, submission.lab)
        if latest is not None and latest.key == key_of(submission):
            result = self._result(latest)
            if (result.report.reason, result.report.file) == (report.reason, report.file):
                return result
        return self._result(*self._scorer.keep([self._without_facts(submission, report)]))

    def _rescored(self, submission: Submission) -> NewScore | None:
        """The score that stored facts give by the rubric of today, unless they do not suffice."""
        facts = self._store.facts.find(self.versions.facts_key(submission))
        report = None if facts is None else self._scorer.report(submission.identity, facts)
        if facts is None or report is None or report.verdict is Verdict.NOT_GRADABLE:
            return None
        return self._scorer.new_score(key_of(submission), facts, report)

    def _why_rescored(self, submission: Submission, latest: Score | None) -> list[Why]:
        """None for work that another student submitted before."""
        if latest is None or latest.key.digest != submission.digest:
            return []
        rubric = self._labs.rubric(submission.lab)
        before = self._store.lab_versions.parts(latest.rubric)
        return [between(submission.lab, Cause.RUBRIC, before, rubric.parts)]

    def _why_again(self, submission: Submission, latest: Score | None) -> list[Why]:
        """None for new and changed submissions, for those that were not gradable, and on another engine."""
        if latest is None or (latest.key.digest, latest.engine) != (submission.digest, self.versions.engine):
            return []
        code = self._labs.code(submission.lab)
        if latest.lab_code != code.digest:
            before = self._store.lab_versions.parts(latest.lab_code)
            return [between(submission.lab, Cause.LAB_CODE, before, code.parts)]
        return [] if latest.facts is None else [Why(lab=submission.lab, cause=Cause.TOOLS)]

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

    def _without_facts(self, submission: Submission, report: Report) -> NewScore:
        return NewScore(
            key=key_of(submission),
            facts=None,
            lab_code=self._labs.code(submission.lab).digest,
            rubric=self._labs.rubric(submission.lab).digest,
            engine=self.versions.engine,
            report=report,
        )

    def _result(self, score: Score) -> Result:
        (result,) = self._records.results([score])
        return result


def key_of(submission: Submission) -> SubmissionKey:
    """The store's key of ``submission``."""
    return SubmissionKey(student=submission.student, lab=submission.lab, digest=submission.digest)
