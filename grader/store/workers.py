"""The workers that the dispatcher knows, in a relational database."""

from collections.abc import Collection

from sqlalchemy import delete, select

from grader.store.database import Database
from grader.store.job_rows import worker_of, worker_row
from grader.store.job_tables import WORKERS
from grader.store.job_values import WorkerEntry


class SqlWorkers:
    """``Workers`` over SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def replace(self, workers: Collection[WorkerEntry]) -> None:
        """See ``Workers.replace``."""
        with self._database.write() as connection:
            self._database.hold(connection, "workers")
            connection.execute(delete(WORKERS))
            if workers:
                connection.execute(WORKERS.insert(), list(map(worker_row, workers)))

    def list(self) -> tuple[WorkerEntry, ...]:
        """See ``Workers.list``."""
        with self._database.read() as connection:
            return tuple(
                map(worker_of, connection.execute(select(WORKERS).order_by(WORKERS.c.host, WORKERS.c.name)))
            )
