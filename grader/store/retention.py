"""What leaves the store: a student who is erased, and scores beyond a limit that the course sets."""

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, exists, func, select

from grader.store.database import Database
from grader.store.decisions import add as add_decision
from grader.store.events import log
from grader.store.filters import is_of
from grader.store.personal import owned
from grader.store.tables import (
    BLOBS,
    CLAIMS,
    FACTS,
    OLD_RECORDS,
    SCORES,
    SUBMISSION_FILES,
    SUBMISSIONS,
)
from grader.store.values import Decision, Event, EventKind


def forget(database: Database, student: str, lab: str | None, record: Decision | None) -> int:
    """See ``Store.forget``."""
    with database.write() as connection:
        scores = connection.execute(
            select(func.count()).select_from(SCORES).where(is_of(SCORES, lab, student))
        ).scalar_one()
        # The database removes what refers to these rows along with them.
        removed = sum(
            connection.execute(delete(table).where(condition)).rowcount
            for table, condition in owned(student, lab)
        )
        _delete_orphans(connection)
        # A claim's key ends with the student's name.
        theirs = CLAIMS.c.key.endswith(f" {student}", autoescape=True)
        connection.execute(delete(CLAIMS).where((CLAIMS.c.lease_until <= database.now) | theirs))
        if removed:
            _log(connection, EventKind.FORGOTTEN, lab, scores)
            if record is not None:
                add_decision(connection, record)
    return int(scores)


def prune(database: Database, keep: int) -> int:
    """See ``Store.prune``. Raises: ``ValueError`` if ``keep`` is less than 1."""
    if keep < 1:
        msg = "prune keeps at least one score of each student's work on a lab"
        raise ValueError(msg)
    age = func.row_number().over(partition_by=(SCORES.c.lab, SCORES.c.student), order_by=SCORES.c.id.desc())
    aged = select(SCORES.c.id, SCORES.c.facts, age.label("age")).subquery()
    with database.write() as connection:
        old = connection.execute(select(aged.c.id, aged.c.facts).where(aged.c.age > keep)).all()
        for score_id, _ in old:
            connection.execute(delete(OLD_RECORDS).where(OLD_RECORDS.c.score_id == score_id))
            connection.execute(delete(SCORES).where(SCORES.c.id == score_id))
        for facts in {facts for _, facts in old if facts is not None}:
            unused = ~exists().where(SCORES.c.facts == facts)
            connection.execute(delete(FACTS).where(FACTS.c.key == facts, unused))
        if old:
            _log(connection, EventKind.PRUNED, None, len(old))
    return len(old)


def _delete_orphans(connection: Connection) -> None:
    """Delete facts and file contents that belong to no submission any more."""
    same_work = (SUBMISSIONS.c.digest == FACTS.c.submission) & (SUBMISSIONS.c.lab == FACTS.c.lab)
    connection.execute(delete(FACTS).where(~exists().where(same_work)))
    connection.execute(delete(BLOBS).where(~exists().where(SUBMISSION_FILES.c.blob == BLOBS.c.digest)))


def _log(connection: Connection, kind: EventKind, lab: str | None, scores: int) -> None:
    log(connection, Event(kind=kind, at=datetime.now(UTC), lab=lab or "", detail=f"scores: {scores}"))
