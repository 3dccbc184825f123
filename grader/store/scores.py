"""Scores and their reports in a relational database."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select

from grader.model.report import Report
from grader.model.run import EngineKind
from grader.store import score_queries
from grader.store.database import Database
from grader.store.decisions import decisions_of
from grader.store.documents import compress, encode
from grader.store.events import log
from grader.store.score_rows import REPORT_VERSION, report_of, row_of, score_of
from grader.store.submissions import is_submission
from grader.store.tables import FACTS, REPORTS, SCORES, SUBMISSIONS
from grader.store.values import Event, EventKind, Flagged, NewScore, Score, Students, SubmissionKey

_REPORTS_AT_ONCE = 100
"""Of one statement: so many reports may be in memory twice."""


class SqlScores:
    """``Scores`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, score: NewScore, at: datetime) -> Score:
        """See ``Scores.put``."""
        (stored,) = self.put_all([score], at)
        return stored

    def put_all(self, scores: Collection[NewScore], at: datetime) -> tuple[Score, ...]:
        """See ``Scores.put_all``."""
        with self._database.write() as connection:
            return tuple(self._stored(connection, put_score(connection, score, at)) for score in scores)

    def put_within(self, connection: Connection, score: NewScore, at: datetime) -> Score:
        """``put`` in the transaction of ``connection``."""
        return self._stored(connection, put_score(connection, score, at))

    def find(self, key: SubmissionKey, facts: str | None, rubric: str) -> Score | None:
        """See ``Scores.find``."""
        same = (is_submission(key), _equals_or_both_null(SCORES.c.facts, facts), SCORES.c.rubric == rubric)
        return self._first(score_queries.scores().where(*same))

    def latest(self, student: str, lab: str) -> Score | None:
        """See ``Scores.latest``."""
        return self._first(score_queries.history(lab, student))

    def latest_all(self, lab: str | None = None, engine: EngineKind | None = None) -> tuple[Score, ...]:
        """See ``Scores.latest_all``."""
        # Sorted here, because databases collate text differently.
        found = self._all(score_queries.latest_all(lab, engine))
        return tuple(sorted(found, key=lambda score: (score.key.lab, score.key.student)))

    def history(self, lab: str | None = None, student: Students = None) -> tuple[Score, ...]:
        """See ``Scores.history``."""
        return self._all(score_queries.history(lab, student))

    def comparable(self, lab: str | None = None, student: str | None = None) -> tuple[Score, ...]:
        """See ``Scores.comparable``."""
        return self._all(score_queries.comparable(lab, student))

    def left_out(self, lab: str | None = None) -> int:
        """See ``Scores.left_out``."""
        with self._database.read() as connection:
            return connection.execute(score_queries.left_out(lab)).scalar_one()

    def boards(self, lab: str | None = None) -> tuple[Score, ...]:
        """See ``Scores.boards``."""
        return self._all(score_queries.boards(lab))

    def flagged(self, lab: str | None = None) -> tuple[Flagged, ...]:
        """See ``Scores.flagged``."""
        with self._database.read() as connection:
            found = self._read(connection, score_queries.flagged(lab))
            decisions = decisions_of(self._database, connection, {score.key for score in found})
        return tuple(
            Flagged(score=score, decisions=tuple(each for each in decisions if each.applies_to(score)))
            for score in found
        )

    def report(self, score: Score) -> Report:
        """See ``Scores.report``."""
        return self.reports([score])[score.id]

    def reports(self, scores: Collection[Score]) -> Mapping[int, Report]:
        """See ``Scores.reports``."""
        by_id = {score.id: score for score in scores}
        ids = list(by_id)
        reports = {}
        for start in range(0, len(ids), _REPORTS_AT_ONCE):
            some = select(REPORTS).where(REPORTS.c.score_id.in_(ids[start : start + _REPORTS_AT_ONCE]))
            with self._database.read() as connection:
                rows = connection.execute(some).all()
            for row in rows:
                key = by_id[row.score_id].key
                with self._database.damage_named(f"The report of {key.student} on {key.lab}"):
                    reports[row.score_id] = report_of(row)
        return reports

    def _stored(self, connection: Connection, score_id: int) -> Score:
        (stored,) = self._read(connection, score_queries.scores().where(SCORES.c.id == score_id))
        return stored

    def _all(self, statement: Select[Any]) -> tuple[Score, ...]:
        with self._database.read() as connection:
            return self._read(connection, statement)

    def _first(self, statement: Select[Any]) -> Score | None:
        return next(iter(self._all(statement.limit(1))), None)

    def _read(self, connection: Connection, statement: Select[Any]) -> tuple[Score, ...]:
        with self._database.damage_named("A score"):
            return tuple(map(score_of, connection.execute(statement)))


def put_score(connection: Connection, score: NewScore, at: datetime) -> int:
    """Store ``score`` as the newest, in a transaction that may do more. Returns: its id."""
    row = row_of(score) | {"created_at": at, "submission_id": _submission_id(connection, score.key)}
    data = compress(encode(score.report, Report))
    again = _has_score(connection, score)
    (score_id,) = connection.execute(SCORES.insert().values(row)).inserted_primary_key or (0,)
    connection.execute(REPORTS.insert().values(score_id=score_id, version=REPORT_VERSION, data=data))
    log(connection, _event(score, at, EventKind.RESCORED if again else EventKind.GRADED))
    return int(score_id)


def _submission_id(connection: Connection, key: SubmissionKey) -> int:
    found = connection.execute(select(SUBMISSIONS.c.id).where(is_submission(key))).scalar()
    if found is None:
        msg = f"a score of a submission that is not stored: {key}"
        raise ValueError(msg)
    return int(found)


def _has_score(connection: Connection, score: NewScore) -> bool:
    """Whether the submission has a score from the same facts. Raises: ``ValueError`` if these are not stored."""
    if score.facts is None:
        return False
    if connection.execute(select(FACTS.c.key).where(FACTS.c.key == score.facts)).first() is None:
        msg = f"a score from facts that are not stored: {score.facts}"
        raise ValueError(msg)
    theirs = (SCORES.c.facts == score.facts) & (SCORES.c.student == score.key.student)
    return connection.execute(select(SCORES.c.id).where(theirs).limit(1)).first() is not None


def _equals_or_both_null(column: ColumnElement[Any], value: str | None) -> ColumnElement[bool]:
    return column.is_(None) if value is None else column == value


def _event(score: NewScore, at: datetime, kind: EventKind) -> Event:
    report = score.report
    return Event(
        kind=kind,
        at=at,
        student=score.key.student,
        lab=score.key.lab,
        submission=score.key.digest,
        detail=f"{report.verdict}, {report.score:g} of {report.max_score:g}",
    )
