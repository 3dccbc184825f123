"""Token buckets in a relational database: a claim that ends when its bucket is full again."""

import random

from sqlalchemy import case, delete, select, type_coerce

from grader.store.column_types import Instant
from grader.store.database import Database, later
from grader.store.tables import CLAIMS

_OWNER = "rate"

_CLEANED_ONE_IN = 100
"""Of so many uses one also removes the buckets that are full."""


class SqlRates:
    """``Rates`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, key: str, burst: int, seconds: float) -> float:
        """See ``Rates.take``."""
        now = self._database.now
        known = case((CLAIMS.c.lease_until > now, CLAIMS.c.lease_until), else_=now)
        full_at = type_coerce(known, Instant())
        use = (
            self._database.insert(CLAIMS)
            .values(key=f"{_OWNER} {key}", owner=_OWNER, lease_until=later(now, seconds))
            .on_conflict_do_update(
                index_elements=["key"],
                set_={"lease_until": later(full_at, seconds)},
                where=full_at <= later(now, (burst - 1) * seconds),
            )
            .returning(CLAIMS.c.key)
        )
        with self._database.write() as connection:
            if random.randrange(_CLEANED_ONE_IN) == 0:  # noqa: S311 - decides only when to clean up
                full = (CLAIMS.c.owner == _OWNER) & (CLAIMS.c.lease_until <= now)
                connection.execute(delete(CLAIMS).where(full))
            if connection.execute(use).first() is not None:
                return 0.0
            bucket = select(CLAIMS.c.lease_until, now).where(CLAIMS.c.key == f"{_OWNER} {key}")
            until, at = connection.execute(bucket).one()
            # The database's clock goes on between the statements.
            return max(float((until - at).total_seconds()) - (burst - 1) * seconds, 0.001)
