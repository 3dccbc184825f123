"""Facts about submissions in a relational database."""

from collections.abc import Iterable

from sqlalchemy import Connection, Row, select

from grader.model.report import EngineInfo
from grader.store.database import Database
from grader.store.documents import compress, decompress
from grader.store.tables import FACTS
from grader.store.values import FactsKey, StoredFacts

_KEYS_AT_ONCE = 500
"""Of one statement: databases bound its parameters."""


class SqlFacts:
    """``FactsStore`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, facts: StoredFacts, *, replace: bool = False) -> StoredFacts:
        """See ``FactsStore.put``."""
        with self._database.write() as connection:
            put_facts(self._database, connection, facts, replace=replace)
            stored = connection.execute(select(FACTS).where(FACTS.c.key == facts.key.digest)).one()
        return self._facts(stored)

    def find(self, key: FactsKey) -> StoredFacts | None:
        """See ``FactsStore.find``."""
        return self.read(key.digest)

    def read(self, digest: str) -> StoredFacts | None:
        """See ``FactsStore.read``."""
        with self._database.read() as connection:
            row = connection.execute(select(FACTS).where(FACTS.c.key == digest)).first()
        return None if row is None else self._facts(row)

    def known(self, keys: Iterable[FactsKey]) -> frozenset[FactsKey]:
        """See ``FactsStore.known``."""
        by_digest = {key.digest: key for key in keys}
        digests = list(by_digest)
        found: set[FactsKey] = set()
        with self._database.read() as connection:
            for start in range(0, len(digests), _KEYS_AT_ONCE):
                some = digests[start : start + _KEYS_AT_ONCE]
                rows = connection.execute(select(FACTS.c.key).where(FACTS.c.key.in_(some))).scalars()
                found.update(by_digest[digest] for digest in rows)
        return frozenset(found)

    def _facts(self, row: Row[tuple[object, ...]]) -> StoredFacts:
        with self._database.damage_named(f"A document of facts about a submission to {row.lab}"):
            data = decompress(row.data)
        key = FactsKey(
            submission=row.submission,
            lab=row.lab,
            lab_code=row.lab_code,
            engine=EngineInfo(kind=row.engine, device=row.device),
            toolchain=row.toolchain,
            trusted=row.trusted,
        )
        return StoredFacts(
            key=key,
            version=row.version,
            data=data,
            seed=row.seed,
            created_at=row.created_at,
            seconds=row.seconds,
        )


def put_facts(database: Database, connection: Connection, facts: StoredFacts, *, replace: bool) -> None:
    """Keep ``facts`` in a transaction that may do more; those stored under the key stay unless ``replace``."""
    row = _row(facts)
    statement = database.insert(FACTS).values(row)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["key"], set_=row)
        if replace
        else statement.on_conflict_do_nothing()
    )


def _row(facts: StoredFacts) -> dict[str, object]:
    key = facts.key
    return {
        "key": key.digest,
        "submission": key.submission,
        "lab": key.lab,
        "lab_code": key.lab_code,
        "engine": key.engine.kind,
        "device": key.engine.device,
        "toolchain": key.toolchain,
        "trusted": key.trusted,
        "version": facts.version,
        "seed": facts.seed,
        "created_at": facts.created_at,
        "seconds": facts.seconds,
        "data": compress(facts.data),
    }
