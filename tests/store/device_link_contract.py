"""The conformance suite of ``DeviceLinks``."""

from datetime import timedelta

import pytest

from grader.store.device_links import DeviceLink
from grader.store.ports import Store
from tests.store.account_contract import ADA
from tests.store.examples import NOON, minutes

LINK = DeviceLink(
    digest="d" * 64, code="e" * 64, label="laptop", created_at=NOON, expires_at=NOON + timedelta(minutes=10)
)


class DeviceLinksContract:
    """What every ``DeviceLinks`` does."""

    def test_a_link_waits_until_somebody_decides(self, store: Store) -> None:
        store.accounts.put(ADA)
        links = store.device_links
        links.add(LINK)
        assert links.waiting(LINK.code, NOON) == links.find(LINK.digest, NOON) == LINK
        assert links.take(LINK.digest, NOON) is None
        assert links.decide(LINK.code, "ada", minutes(1), accepted=True)
        assert links.waiting(LINK.code, minutes(1)) is None
        taken = links.take(LINK.digest, minutes(1))
        assert taken is not None
        assert (taken.person, taken.accepted, taken.label) == ("ada", True, "laptop")

    def test_a_decided_link_is_taken_once(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.device_links.add(LINK)
        store.device_links.decide(LINK.code, "ada", NOON, accepted=False)
        assert store.device_links.take(LINK.digest, NOON) is not None
        assert store.device_links.take(LINK.digest, NOON) is None
        assert store.device_links.find(LINK.digest, NOON) is None

    def test_the_first_decision_counts(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.device_links.add(LINK)
        assert store.device_links.decide(LINK.code, "ada", NOON, accepted=False)
        assert not store.device_links.decide(LINK.code, "ada", NOON, accepted=True)
        taken = store.device_links.take(LINK.digest, NOON)
        assert taken is not None
        assert taken.accepted is False

    def test_a_link_that_has_expired_is_none(self, store: Store) -> None:
        store.accounts.put(ADA)
        links, late = store.device_links, LINK.expires_at
        links.add(LINK)
        assert links.waiting(LINK.code, late) is None
        assert not links.decide(LINK.code, "ada", late, accepted=True)
        links.decide(LINK.code, "ada", NOON, accepted=True)
        assert links.find(LINK.digest, late) is None
        assert links.take(LINK.digest, late) is None

    def test_no_two_links_share_a_code(self, store: Store) -> None:
        store.device_links.add(LINK)
        with pytest.raises(ValueError, match="another"):
            store.device_links.add(
                DeviceLink(digest="f" * 64, code=LINK.code, label="", created_at=NOON, expires_at=minutes(20))
            )

    def test_a_new_link_removes_those_that_expired(self, store: Store) -> None:
        store.device_links.add(LINK)
        again = DeviceLink(
            digest="f" * 64,
            code=LINK.code,
            label="",
            created_at=LINK.expires_at,
            expires_at=LINK.expires_at + timedelta(minutes=10),
        )
        store.device_links.add(again)
        assert store.device_links.waiting(LINK.code, again.created_at) == again
