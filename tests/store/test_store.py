"""Every store meets the contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config.settings import Config
from grader.store.ports import Store
from grader.store.sql_store import open_store
from tests.store.port_contract import StoreContract


class TestSqlite(StoreContract):
    """An SQLite file."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = open_store(Config(base=tmp_path))
        yield store
        store.close()
