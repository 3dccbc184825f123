"""Copy the records and reviews of schema 1 to schema 2.

The tables and documents of schema 1 are written down here, because those of the package go on changing. A record or
review that cannot be read is kept as it is.
"""

import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

_ROWS_AT_ONCE = 200
_REPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class _Engine:
    kind: Literal["emulator", "cuda"]
    device: str


@dataclass(frozen=True, slots=True)
class _RunKey:
    student: str
    lab: str
    submission: str
    lab_version: str
    options: str
    engine: _Engine


@dataclass(frozen=True, slots=True)
class _Speedup:
    value: float
    low: float
    high: float
    kind: Literal["measured", "modelled"]
    baseline: str


_Verdict = Literal[
    "accepted",
    "wrong",
    "failed to build",
    "crashed",
    "timed out",
    "over the limit",
    "suspicious",
    "not gradable",
]


@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    visibility: Literal["public", "hidden"]
    verdict: _Verdict


@dataclass(frozen=True, slots=True)
class _Kernel:
    name: str
    verdict: _Verdict
    reason: str
    cases: tuple[_Case, ...]
    speedup: _Speedup | None

    @property
    def hidden_failure(self) -> str | None:
        """The first hidden case that failed."""
        failed = (
            case.name for case in self.cases if case.visibility == "hidden" and case.verdict != "accepted"
        )
        return next(failed, None)


@dataclass(frozen=True, slots=True)
class _Report:
    file: str
    language: Literal["cuda-c", "numba"]
    verdict: _Verdict
    reason: str
    score: float
    max_score: float
    kernels: tuple[_Kernel, ...]
    lab_version: str = ""


@dataclass(frozen=True, slots=True)
class _Review:
    decision: Literal["cleared", "confirmed"]
    reviewer: str
    reason: str
    decided_at: datetime


def copy_records(connection: sa.Connection) -> Mapping[str, _RunKey]:
    """Make a submission and a score of each record, the oldest first. Returns: run keys by the key of their reviews."""
    tables = _tables(connection)
    by_review: dict[str, _RunKey] = {}
    submissions: dict[tuple[str, str, str], int] = {}
    for row in _oldest_first(connection, tables["graded_records"]):
        old = {name: value for name, value in row.items() if name not in {"id", "engine"}}
        found = _decoded(row)
        if found is not None:
            key, report = found
            by_review[_review_key(key)] = key
            work = (key.student, key.lab, key.submission)
            if work not in submissions:
                submissions[work] = _insert(
                    connection, tables["submissions"], _submission(key, report, row["created_at"])
                )
            score = _score(key, report, row["created_at"]) | {"submission_id": submissions[work]}
            old |= {"score_id": _insert(connection, tables["scores"], score), "report": None}
            document = {
                "score_id": old["score_id"],
                "version": _REPORT_VERSION,
                "data": zlib.compress(row["report"]),
            }
            _insert(connection, tables["reports"], document)
        _insert(connection, tables["old_records"], old)
    return by_review


def copy_reviews(connection: sa.Connection, keys: Mapping[str, _RunKey]) -> None:
    """Make a decision of each review of a record that is there; keep the others."""
    tables = _tables(connection)
    for row in connection.execute(sa.select(tables["reviews"]).order_by("id")).mappings().all():
        key, review = keys.get(row["hand_in"]), _decoded_review(row["review"])
        if key is None or review is None:
            _insert(connection, tables["old_reviews"], dict(row))
        else:
            _insert(connection, tables["decisions"], _decision(key, review))


def _tables(connection: sa.Connection) -> Mapping[str, sa.Table]:
    metadata = sa.MetaData()
    metadata.reflect(connection)
    return metadata.tables


def _oldest_first(connection: sa.Connection, records: sa.Table) -> Iterator[sa.RowMapping]:
    ids = (
        connection.execute(sa.select(records.c.id).order_by(records.c.created_at, records.c.id))
        .scalars()
        .all()
    )
    for start in range(0, len(ids), _ROWS_AT_ONCE):
        some = ids[start : start + _ROWS_AT_ONCE]
        rows = connection.execute(sa.select(records).where(records.c.id.in_(some))).mappings()
        by_id = {row["id"]: row for row in rows}
        yield from (by_id[each] for each in some)


def _insert(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> int:
    key = connection.execute(table.insert().values(row)).inserted_primary_key
    return int(key[0]) if key is not None else 0


def _decoded(row: sa.RowMapping) -> tuple[_RunKey, _Report] | None:
    if row["report_version"] != _REPORT_VERSION:
        return None
    try:
        key = msgspec.json.decode(row["run_key"], type=_RunKey)
        return key, msgspec.json.decode(row["report"], type=_Report)
    except msgspec.DecodeError:
        return None


def _decoded_review(data: bytes) -> _Review | None:
    try:
        review = msgspec.json.decode(data, type=_Review)
    except msgspec.DecodeError:
        return None
    return review if review.decided_at.tzinfo is not None else None


def _review_key(key: _RunKey) -> str:
    """The digest by which schema 1 finds the reviews of a record."""
    parts = (key.student, key.lab, key.submission, key.lab_version, (key.engine.kind, key.engine.device))
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _submission(key: _RunKey, report: _Report, created_at: int) -> dict[str, Any]:
    return {
        "student": key.student,
        "lab": key.lab,
        "digest": key.submission,
        "language": report.language,
        "path": report.file,
        "submitted_at": created_at,
    }


def _score(key: _RunKey, report: _Report, created_at: int) -> dict[str, Any]:
    flagged = next((each for each in report.kernels if each.verdict == "suspicious"), None)
    accepted = [
        (each, each.speedup)
        for each in report.kernels
        if each.verdict == "accepted" and each.speedup is not None
    ]
    kernel, speedup = max(accepted, key=lambda pair: pair[1].value, default=(None, None))
    return {
        "student": key.student,
        "lab": key.lab,
        "lab_code": key.lab_version,
        "lab_version": report.lab_version,
        "rubric": key.options,
        "engine": key.engine.kind,
        "device": key.engine.device,
        "verdict": report.verdict,
        "reason": _reason(
            report.reason, next(filter(None, (each.hidden_failure for each in report.kernels)), None)
        ),
        "score": report.score,
        "max_score": report.max_score,
        "flag_kernel": flagged and flagged.name,
        "flag_reason": flagged and _reason(flagged.reason, flagged.hidden_failure),
        "best_kernel": kernel and kernel.name,
        "speedup": speedup and speedup.value,
        "speedup_low": speedup and speedup.low,
        "speedup_high": speedup and speedup.high,
        "speedup_kind": speedup and speedup.kind,
        "speedup_baseline": speedup and speedup.baseline,
        "created_at": created_at,
    }


def _decision(key: _RunKey, review: _Review) -> dict[str, Any]:
    # Schema 2 makes the versions of labs by another rule; with one of them the review would hold for no new grading.
    ruling = {"outcome": review.decision, "lab_code": None, "engine": key.engine}
    return {
        "student": key.student,
        "lab": key.lab,
        "submission": key.submission,
        "decided_at": (review.decided_at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1),
        "who": review.reviewer,
        "why": review.reason,
        "kind": "review",
        "ruling": msgspec.json.encode(ruling),
    }


def _reason(text: str, case: str | None) -> str:
    """A reason in the words of its release; it may reveal ``case``, the hidden one that failed."""
    return msgspec.json.encode({"code": "as-written", "params": {"text": text}, "case": case}).decode()
