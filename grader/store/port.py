"""The store port: finished reports, stored durably and never graded twice."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from grader.model.report import Report
from grader.model.review import Review
from grader.model.run import EngineKind
from grader.store.keys import RunKey, SubmissionKey

HISTORY = 50
"""Records kept of one student's work on one lab; ``put`` forgets those older than that many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedRecord:
    """A finished report and what it came from.

    ``seed`` is what the inputs were drawn from, so that a regrade can replay them; it is kept here and nowhere else.
    ``created_at`` has a time zone; ``seconds`` is how long grading took.
    """

    key: RunKey
    report: Report
    seed: int
    created_at: datetime
    seconds: float


class Store(Protocol):
    """Keeps graded records. Several processes may use one store at once.

    Every method raises ``UserError`` where the store cannot be read or written, in one line with its hint; it never
    deletes what it cannot read.
    """

    def put(self, record: GradedRecord) -> None:
        """Keep ``record``, in place of one with the same key.

        When this returns, the record outlives the process and, as far as the disk keeps its promises, the machine.
        Raises: ``ValueError`` where the report cannot be stored faithfully (a number that is not finite, text that is
        not Unicode) or ``created_at`` lacks a time zone.
        """

    def find(self, key: RunKey) -> GradedRecord | None:
        """The record of exactly this run."""

    def latest(self, student: str, lab: str) -> GradedRecord | None:
        """The newest record of one student's work on one lab."""

    def latest_all(
        self, lab: str | None = None, engine: EngineKind | None = None
    ) -> tuple[GradedRecord, ...]:
        """The newest record of every student and lab, of one lab or graded on one engine; by lab and student."""

    def history(self, lab: str | None = None) -> tuple[GradedRecord, ...]:
        """Every record that is kept, of one lab or all; by lab and student, the newest of each first."""

    def add_review(self, key: SubmissionKey, review: Review) -> None:
        """Keep ``review`` after those that are kept of ``key``. It outlives the process as a record does."""

    def reviews(self, key: SubmissionKey) -> tuple[Review, ...]:
        """Staff decisions about ``key``, the first decision first; the last one counts."""

    def forget(self, student: str, lab: str | None = None) -> int:
        """Remove a student's records, of one lab or all, and the decisions about them. Returns: how many records."""

    def close(self) -> None:
        """Give back connections and files."""
