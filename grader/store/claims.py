"""Claims in a relational database: one statement takes or refuses each."""

from sqlalchemy import delete, select, update

from grader.store.database import Database, later
from grader.store.tables import CLAIMS
from grader.store.values import Claim


class SqlClaims:
    """``Claims`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, key: str, owner: str, seconds: float) -> bool:
        """See ``Claims.claim``."""
        now = self._database.now
        row = {"owner": owner, "lease_until": later(now, seconds)}
        free = (CLAIMS.c.lease_until <= now) | (CLAIMS.c.owner == owner)
        claim = (
            self._database.insert(CLAIMS)
            .values(key=key, **row)
            .on_conflict_do_update(index_elements=["key"], set_=row, where=free)
            .returning(CLAIMS.c.key)
        )
        with self._database.write() as connection:
            return connection.execute(claim).first() is not None

    def extend(self, owner: str, seconds: float) -> int:
        """See ``Claims.extend``."""
        longer = {"lease_until": later(self._database.now, seconds)}
        with self._database.write() as connection:
            return connection.execute(update(CLAIMS).where(CLAIMS.c.owner == owner).values(longer)).rowcount

    def release(self, key: str, owner: str) -> bool:
        """See ``Claims.release``."""
        held = (CLAIMS.c.key == key) & (CLAIMS.c.owner == owner)
        with self._database.write() as connection:
            return connection.execute(delete(CLAIMS).where(held)).rowcount > 0

    def holder(self, key: str) -> Claim | None:
        """See ``Claims.holder``."""
        held = (CLAIMS.c.key == key) & (CLAIMS.c.lease_until > self._database.now)
        with self._database.read() as connection:
            row = connection.execute(select(CLAIMS).where(held)).first()
        return None if row is None else Claim(key=row.key, owner=row.owner, lease_until=row.lease_until)
