"""Stored reports: which submissions are graded already, and keeping new reports."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

from grader.compile import toolchain
from grader.course.results import results_document
from grader.course.workspace import Workspace
from grader.digests import folder_digest, grader_digest
from grader.errors import UserError
from grader.grading.batch import Graded
from grader.judge.apply_review import apply_review
from grader.labs.lab import Lab
from grader.model.report import EngineInfo, Isolation, Report, ResultsDocument
from grader.model.review import Review
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.store.history import comparable
from grader.store.keys import RunKey, SubmissionKey, options_digest
from grader.store.port import GradedRecord
from grader.store.sql import open_store


class ReportStore:
    """The store as the services use it. ``engine`` and ``isolation`` apply to new reports."""

    def __init__(
        self, workspace: Workspace, engine: EngineInfo | None = None, isolation: Isolation | None = None
    ) -> None:
        self._workspace = workspace
        self._engine = engine
        self._isolation = isolation
        self._lab_versions: dict[str, str] = {}
        self._store = open_store(workspace.config)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._store.close()

    def known(self, submissions: Iterable[Submission]) -> dict[tuple[str, str], Report]:
        """The reports of unchanged submissions, by student and lab.

        Reports that are not gradable are left out, so that the grader tries again.
        """
        reports = {}
        for submission in submissions:
            record = self._store.find(self._key(submission))
            if record is not None and record.report.verdict is not Verdict.NOT_GRADABLE:
                reports[submission.student, submission.lab] = self._decided(record).report
        return reports

    def keep(self, graded: Graded) -> None:
        """Store one finished report; it is on disk when this returns."""
        record = GradedRecord(
            key=self._key(graded.submission),
            report=graded.report,
            seed=graded.seed,
            created_at=self._now(graded.submission),
            seconds=graded.seconds,
        )
        self._store.put(record)

    def latest(self, student: str, lab: str) -> GradedRecord:
        """The newest record of one student and lab. Raises: ``UserError`` if there is none."""
        record = self._store.latest(student, lab)
        if record is None:
            msg = f"No submission of {student} is graded for {lab}."
            raise UserError(msg, hint="Grade it with `grader grade PATH`.")
        return self._decided(record)

    def documents(self, lab: str | None) -> tuple[list[ResultsDocument], int]:
        """All comparable reports as documents, one per engine and device; how many of older labs are left out."""
        found = comparable(self._store.history(lab))
        reports: dict[EngineInfo, list[Report]] = defaultdict(list)
        for record in found.records:
            reports[record.key.engine].append(self._decided(record).report)
        return [results_document(engine, listed) for engine, listed in reports.items()], found.left_out

    def flagged(self, lab: str | None) -> list[tuple[GradedRecord, tuple[Review, ...]]]:
        """Comparable flagged records with the decisions about each, the latest decision last."""
        records = comparable(self._store.history(lab)).records
        return [
            (record, self._store.reviews(record.key.submission_key))
            for record in sorted(records, key=lambda record: record.created_at)
            if record.report.flag_reason
        ]

    def flagged_of(self, student: str, lab: str) -> tuple[GradedRecord, tuple[Review, ...]]:
        """The student's newest flagged record without a decision, or else the newest one, with its decisions.

        Raises: ``UserError`` if none of their records is flagged.
        """
        theirs = [(record, reviews) for record, reviews in self.flagged(lab) if record.key.student == student]
        undecided = [(record, reviews) for record, reviews in theirs if not reviews]
        if not theirs:
            msg = f"No submission of {student} for {lab} is suspicious."
            raise UserError(msg, hint="See what waits with `grader review`.")
        return (undecided or theirs)[-1]

    def decide(self, record: GradedRecord, review: Review) -> None:
        """Keep the decision of staff about ``record``'s submission; the record itself does not change."""
        self._store.add_review(record.key.submission_key, review)

    def decided(self, graded: Graded) -> Report:
        """``graded``'s report, with the latest decision about the same submission."""
        return self._with_reviews(self._key(graded.submission).submission_key, graded.report)

    def _decided(self, record: GradedRecord) -> GradedRecord:
        return replace(record, report=self._with_reviews(record.key.submission_key, record.report))

    def _with_reviews(self, key: SubmissionKey, report: Report) -> Report:
        if not report.flag_reason:
            return report
        reviews = self._store.reviews(key)
        return apply_review(report, reviews[-1]) if reviews else report

    def _now(self, submission: Submission) -> datetime:
        """The time, but later than the newest stored record: a clock that was set back must not reorder records."""
        newest = self._store.latest(submission.student, submission.lab)
        now = datetime.now(UTC)
        return now if newest is None else max(now, newest.created_at + timedelta(microseconds=1))

    def _key(self, submission: Submission) -> RunKey:
        if self._engine is None:
            msg = "a store that keeps or finds needs the engine"
            raise ValueError(msg)
        config = self._workspace.config
        # A report on a trusted submission does not count for one that is not trusted.
        options = (config.limits, config.scoring, sorted(toolchain().items()), self._isolation)
        return RunKey(
            student=submission.student,
            lab=submission.lab,
            submission=submission.digest,
            lab_version=self._lab_version(self._workspace.registry.get(submission.lab)),
            grader=grader_digest(),
            engine=self._engine,
            options=options_digest(options),
        )

    def _lab_version(self, lab: Lab) -> str:
        if lab.name not in self._lab_versions:
            self._lab_versions[lab.name] = folder_digest(*lab.folders)
        return self._lab_versions[lab.name]
