"""What was graded here before, and keeping what is graded now."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Self

from grader.cli.results_document import results_document
from grader.cli.workspace import Workspace
from grader.compile import toolchain
from grader.errors import UserError
from grader.grading.batch import Graded
from grader.judge.apply_review import apply_review
from grader.labs.lab import Lab
from grader.model.report import EngineInfo, Isolation, Report, ResultsDocument
from grader.model.review import Review
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.store.history import comparable
from grader.store.keys import RunKey, SubmissionKey, folder_digest, grader_digest, options_digest
from grader.store.port import GradedRecord
from grader.store.sql import open_store


class ReportStore:
    """The store as the command line uses it. ``engine`` grades now, behind ``isolation``; reading needs neither."""

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
        """By student and lab, the reports of those that nothing has changed for.

        What was not gradable is not among them, so that it is tried again.
        """
        reports = {}
        for submission in submissions:
            record = self._store.find(self._key(submission))
            if record is not None and record.report.verdict is not Verdict.NOT_GRADABLE:
                reports[submission.student, submission.lab] = self._decided(record).report
        return reports

    def keep(self, graded: Graded) -> None:
        """Keep one finished report as it was graded; when this returns it outlives the process."""
        record = GradedRecord(
            key=self._key(graded.submission),
            report=graded.report,
            seed=graded.seed,
            created_at=self._now(graded.submission),
            seconds=graded.seconds,
        )
        self._store.put(record)

    def latest(self, student: str, lab: str) -> GradedRecord:
        """The newest record of one student's work on one lab. Raises: ``UserError`` where there is none."""
        record = self._store.latest(student, lab)
        if record is None:
            msg = f"Nothing of {student} is graded for {lab}."
            raise UserError(msg, hint="Grade it with `grader grade PATH`.")
        return self._decided(record)

    def documents(self, lab: str | None) -> tuple[list[ResultsDocument], int]:
        """All comparable reports as documents, one per engine and device; how many of older labs are left out."""
        found = comparable(self._store.history(lab))
        reports: dict[EngineInfo, list[Report]] = defaultdict(list)
        for record in found.records:
            reports[record.key.engine].append(self._decided(record).report)
        return [results_document(engine, listed) for engine, listed in reports.items()], found.left_out

    def suspicious(self, lab: str | None) -> list[tuple[GradedRecord, tuple[Review, ...]]]:
        """Comparable records that need, or needed, a person; what was decided about each, the last decision last."""
        records = comparable(self._store.history(lab)).records
        return [
            (record, self._store.reviews(record.key.submission_key))
            for record in sorted(records, key=lambda record: record.created_at)
            if record.report.flag_reason
        ]

    def decide(self, record: GradedRecord, review: Review) -> None:
        """Keep what a person decided about ``record``'s hand-in; the record itself stays as it is."""
        self._store.add_review(record.key.submission_key, review)

    def decided(self, graded: Graded) -> Report:
        """``graded``'s report, with what was decided before about the same hand-in."""
        return self._with_reviews(self._key(graded.submission).submission_key, graded.report)

    def _decided(self, record: GradedRecord) -> GradedRecord:
        return replace(record, report=self._with_reviews(record.key.submission_key, record.report))

    def _with_reviews(self, key: SubmissionKey, report: Report) -> Report:
        if not report.flag_reason:
            return report
        reviews = self._store.reviews(key)
        return apply_review(report, reviews[-1]) if reviews else report

    def _now(self, submission: Submission) -> datetime:
        """The time, but later than what is kept already: a clock that was set back must not make it look newer."""
        newest = self._store.latest(submission.student, submission.lab)
        now = datetime.now(UTC)
        return now if newest is None else max(now, newest.created_at + timedelta(microseconds=1))

    def _key(self, submission: Submission) -> RunKey:
        if self._engine is None:
            msg = "a store that keeps or finds needs to know the engine"
            raise ValueError(msg)
        config = self._workspace.config
        # What was graded on trust is graded again where trust is not given.
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
