"""Claims of graders on one store."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config import load
from grader.course import sharing as module
from grader.course.sharing import Sharing
from grader.store.ports import Claims
from grader.store.sql_store import open_store
from tests.store.examples import H200, T4, submission

ADA = submission("ada")


@pytest.fixture
def claims(tmp_path: Path) -> Iterator[Claims]:
    store = open_store(load(tmp_path))
    yield store.claims
    store.close()


def test_one_grader_holds_a_submission_until_it_is_released(claims: Claims) -> None:
    one, other = Sharing(claims=claims, engine=T4), Sharing(claims=claims, engine=T4)
    assert one.claim(ADA)
    assert not other.claim(ADA)
    assert other.claim(submission("bob"))
    one.release(ADA)
    assert other.claim(ADA)


def test_graders_on_different_devices_do_not_wait_for_each_other(claims: Claims) -> None:
    assert Sharing(claims=claims, engine=T4).claim(ADA)
    assert Sharing(claims=claims, engine=H200).claim(ADA)


def test_claims_are_renewed_while_a_grader_works(claims: Claims, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.4)
    monkeypatch.setattr(module, "_RENEWAL_SECONDS", 0.1)
    one, other = Sharing(claims=claims, engine=T4), Sharing(claims=claims, engine=T4)
    with one.renewed():
        assert one.claim(ADA)
        time.sleep(0.8)
        assert not other.claim(ADA)
    assert other.claim(ADA)
