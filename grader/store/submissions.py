"""Submissions and their files in a relational database."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, exists, select

from grader.model.submission import SourceFile, Submission
from grader.store.database import Database
from grader.store.documents import compress, decompress
from grader.store.events import log
from grader.store.filters import narrowed
from grader.store.tables import BLOBS, SUBMISSION_FILES, SUBMISSIONS
from grader.store.values import Event, EventKind, StoredSubmission, Students, SubmissionKey


class SqlSubmissions:
    """``Submissions`` over SQLAlchemy: a file that many students submit is stored once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, submission: Submission, at: datetime) -> StoredSubmission:
        """See ``Submissions.put``."""
        complete = select(SUBMISSIONS).where(is_submission(_key_of(submission)), _HAS_FILES)
        with self._database.read() as connection:
            known = connection.execute(complete).first()
        if known is not None:
            return _stored(known)
        with self._database.write() as connection:
            return _stored(self.add_within(connection, submission, at))

    def find(self, key: SubmissionKey) -> StoredSubmission | None:
        """See ``Submissions.find``."""
        with self._database.read() as connection:
            row = connection.execute(select(SUBMISSIONS).where(is_submission(key))).first()
        return None if row is None else _stored(row)

    def list(self, lab: str | None = None, student: Students = None) -> tuple[StoredSubmission, ...]:
        """See ``Submissions.list``."""
        found = narrowed(select(SUBMISSIONS).order_by(SUBMISSIONS.c.id), SUBMISSIONS, lab, student)
        with self._database.read() as connection:
            return tuple(map(_stored, connection.execute(found)))

    def files(self, key: SubmissionKey) -> tuple[SourceFile, ...]:
        """See ``Submissions.files``."""
        joined = SUBMISSION_FILES.join(SUBMISSIONS).join(BLOBS)
        found = (
            select(SUBMISSION_FILES.c.name, BLOBS.c.data)
            .select_from(joined)
            .where(is_submission(key))
            .order_by(SUBMISSION_FILES.c.position)
        )
        with self._database.read() as connection:
            rows = connection.execute(found).all()
        with self._database.damage_named(f"A file of {key.student} for {key.lab}"):
            return tuple(SourceFile(name=row.name, data=decompress(row.data)) for row in rows)

    def add_within(
        self, connection: Connection, submission: Submission, at: datetime
    ) -> Row[tuple[object, ...]]:
        """Keep ``submission`` in the transaction of ``connection``. Returns: its row of ``SUBMISSIONS``."""
        key = _key_of(submission)
        row = {
            "student": key.student,
            "lab": key.lab,
            "digest": key.digest,
            "language": submission.language,
            "path": submission.path,
            "submitted_at": at,
        }
        once = self._database.insert(SUBMISSIONS).values(row).on_conflict_do_nothing()
        if connection.execute(once.returning(SUBMISSIONS.c.id)).first() is not None:
            log(connection, _submitted(key, at))
        stored = connection.execute(select(SUBMISSIONS).where(is_submission(key))).one()
        self._put_files(connection, stored.id, submission.files)
        return stored

    def _put_files(self, connection: Connection, submission: int, files: Iterable[SourceFile]) -> None:
        listed = [(file, hashlib.sha256(file.data).hexdigest()) for file in files]
        blobs = [
            {"digest": digest, "size": len(file.data), "data": compress(file.data)} for file, digest in listed
        ]
        rows = [
            {"submission_id": submission, "position": position, "name": file.name, "blob": digest}
            for position, (file, digest) in enumerate(listed)
        ]
        if rows:
            connection.execute(self._database.insert(BLOBS).on_conflict_do_nothing(), blobs)
            connection.execute(self._database.insert(SUBMISSION_FILES).on_conflict_do_nothing(), rows)


_HAS_FILES = exists().where(SUBMISSION_FILES.c.submission_id == SUBMISSIONS.c.id)


def is_submission(key: SubmissionKey) -> ColumnElement[bool]:
    """Condition: the row of ``SUBMISSIONS`` is that of ``key``."""
    return (
        (SUBMISSIONS.c.student == key.student)
        & (SUBMISSIONS.c.lab == key.lab)
        & (SUBMISSIONS.c.digest == key.digest)
    )


def _key_of(submission: Submission) -> SubmissionKey:
    return SubmissionKey(student=submission.student, lab=submission.lab, digest=submission.digest)


def _submitted(key: SubmissionKey, at: datetime) -> Event:
    return Event(kind=EventKind.SUBMITTED, at=at, student=key.student, lab=key.lab, submission=key.digest)


def _stored(row: Row[tuple[object, ...]]) -> StoredSubmission:
    return StoredSubmission(
        key=SubmissionKey(student=row.student, lab=row.lab, digest=row.digest),
        language=row.language,
        path=row.path,
        submitted_at=row.submitted_at,
    )
