"""An in-memory store for tests of other packages."""

from grader.model.review import Review
from grader.model.run import EngineKind
from grader.store.keys import RunKey, SubmissionKey
from grader.store.port import HISTORY, GradedRecord


class MemoryStore:
    """``Store`` in memory: the same behaviour without durability."""

    def __init__(self) -> None:
        self._records: list[GradedRecord] = []
        self._reviews: list[tuple[SubmissionKey, Review]] = []

    def put(self, record: GradedRecord) -> None:
        if record.created_at.tzinfo is None:
            msg = "created_at needs a time zone"
            raise ValueError(msg)
        others = [kept for kept in self._records if kept.key != record.key]
        # Sorting is stable: of two records with the same time, the one stored later counts as newer.
        self._records = sorted([*others, record], key=lambda kept: kept.created_at)
        theirs = [kept for kept in self._records if _owner(kept) == _owner(record)]
        for old in theirs[:-HISTORY]:
            self._records.remove(old)

    def find(self, key: RunKey) -> GradedRecord | None:
        return next((record for record in self._records if record.key == key), None)

    def latest(self, student: str, lab: str) -> GradedRecord | None:
        return next((record for record in reversed(self._records) if _owner(record) == (lab, student)), None)

    def latest_all(
        self, lab: str | None = None, engine: EngineKind | None = None
    ) -> tuple[GradedRecord, ...]:
        newest = {
            _owner(record): record
            for record in self._records
            if lab in {None, record.key.lab} and engine in {None, record.key.engine.kind}
        }
        return tuple(newest[owner] for owner in sorted(newest))

    def history(self, lab: str | None = None) -> tuple[GradedRecord, ...]:
        newest_first = (r for r in reversed(self._records) if lab in {None, r.key.lab})
        return tuple(sorted(newest_first, key=_owner))

    def add_review(self, key: SubmissionKey, review: Review) -> None:
        self._reviews.append((key, review))

    def reviews(self, key: SubmissionKey) -> tuple[Review, ...]:
        return tuple(review for known, review in self._reviews if known == key)

    def forget(self, student: str, lab: str | None = None) -> int:
        kept = [r for r in self._records if r.key.student != student or lab not in {None, r.key.lab}]
        forgotten = len(self._records) - len(kept)
        self._records = kept
        self._reviews = [r for r in self._reviews if r[0].student != student or lab not in {None, r[0].lab}]
        return forgotten

    def close(self) -> None:
        """There is nothing to close."""


def _owner(record: GradedRecord) -> tuple[str, str]:
    return record.key.lab, record.key.student
