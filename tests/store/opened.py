"""Open stores and databases by URL."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine

from grader.config.settings import Config, StoreSettings
from grader.store.connect import connect
from grader.store.ports import Store
from grader.store.sql_store import open_store


@contextmanager
def opened(url: str, base: Path = Path("/nonexistent")) -> Iterator[Store]:
    """The store at ``url``."""
    store = open_store(Config(base=base, store=StoreSettings(url=url)))
    try:
        yield store
    finally:
        store.close()


@contextmanager
def database(url: str) -> Iterator[Engine]:
    """The bare database at ``url``."""
    engine = connect(url, Path("/nonexistent"))
    try:
        yield engine
    finally:
        engine.dispose()
