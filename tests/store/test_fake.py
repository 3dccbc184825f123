"""The fake store meets the contract, so tests that use it are valid."""

import pytest

from tests.store.contract import StoreContract
from tests.store.fake import MemoryStore


class TestMemoryStore(StoreContract):
    """The fake against the contract."""

    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
