"""Every store meets the contract."""

from collections.abc import Iterator

import pytest

from grader.store.ports import Store
from tests.store.account_contract import AccountsContract, SessionsContract, TokensContract
from tests.store.contract import StoreContract
from tests.store.course_contract import CourseContract
from tests.store.device_link_contract import DeviceLinksContract
from tests.store.lti_contract import PlatformsContract, PushesContract
from tests.store.opened import opened
from tests.store.person_contract import PersonContract
from tests.store.regrade_contract import RegradesContract


class TestSqlStore(
    PlatformsContract,
    PushesContract,
    StoreContract,
    CourseContract,
    RegradesContract,
    PersonContract,
    AccountsContract,
    SessionsContract,
    TokensContract,
    DeviceLinksContract,
):
    """An SQLite file, and a PostgreSQL server."""

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        with opened(url) as store:
            yield store
