"""The fake keeps to the contract, so that tests which use it mean something."""

import pytest

from tests.store.contract import StoreContract
from tests.store.fake import MemoryStore


class TestMemoryStore(StoreContract):
    """The fake against the contract."""

    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
