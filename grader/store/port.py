"""The store port: finished reports, stored durably and never graded twice."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from grader.model.report import Report
from grader.model.review import Review
from grader.model.run import EngineKind
from grader.store.keys import RunKey, SubmissionKey

HISTORY = 50
"""Maximum records of one student's work on one lab; ``put`` removes the oldest beyond it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedRecord:
    """A finished report and its origin.

    The inputs were drawn from ``seed``, so that a regrade can reproduce them; only this record keeps it.
    ``created_at`` has a time zone; ``seconds`` is the duration of grading.
    """

    key: RunKey
    report: Report
    seed: int
    created_at: datetime
    seconds: float


class Store(Protocol):
    """Stores graded records. Several processes may use one store at once.

    Every method raises ``UserError``, one line with a hint, if the store cannot be read or written. No method deletes
    data that it cannot read.
    """

    def put(self, record: GradedRecord) -> None:
        """Store ``record``; it replaces one with the same key.

        After this returns, the record survives the end of the process and, if the disk honours flushes, of the machine.
        Raises: ``ValueError`` if the report cannot be stored faithfully (a number that is not finite, text that is
        not Unicode) or ``created_at`` lacks a time zone.
        """

    def find(self, key: RunKey) -> GradedRecord | None:
        """The record with exactly this key."""

    def latest(self, student: str, lab: str) -> GradedRecord | None:
        """The newest record of one student's work on one lab."""

    def latest_all(
        self, lab: str | None = None, engine: EngineKind | None = None
    ) -> tuple[GradedRecord, ...]:
        """The newest record of every student and lab, of one lab or graded on one engine; by lab and student."""

    def history(self, lab: str | None = None) -> tuple[GradedRecord, ...]:
        """Every stored record, of one lab or all; by lab and student, the newest of each first."""

    def add_review(self, key: SubmissionKey, review: Review) -> None:
        """Append ``review`` to the reviews of ``key``. It is as durable as a record."""

    def reviews(self, key: SubmissionKey) -> tuple[Review, ...]:
        """Staff decisions about ``key``, oldest first; the last one counts."""

    def forget(self, student: str, lab: str | None = None) -> int:
        """Remove a student's records, of one lab or all, and the decisions about them. Returns: how many records."""

    def close(self) -> None:
        """Close connections and files."""
