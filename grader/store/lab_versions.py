"""Versions of labs in a relational database."""

from collections.abc import Mapping

from sqlalchemy import select

from grader.store.database import Database
from grader.store.documents import decode, encode
from grader.store.tables import LAB_VERSIONS


class SqlLabVersions:
    """``LabVersions`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, digest: str, parts: Mapping[str, str]) -> None:
        """See ``LabVersions.put``."""
        row = {"digest": digest, "parts": encode(dict(parts), dict[str, str])}
        with self._database.write() as connection:
            connection.execute(self._database.insert(LAB_VERSIONS).values(row).on_conflict_do_nothing())

    def parts(self, digest: str) -> Mapping[str, str]:
        """See ``LabVersions.parts``."""
        with self._database.read() as connection:
            data = connection.execute(
                select(LAB_VERSIONS.c.parts).where(LAB_VERSIONS.c.digest == digest)
            ).scalar()
        with self._database.damage_named("A version of a lab"):
            return {} if data is None else decode(data, dict[str, str])
