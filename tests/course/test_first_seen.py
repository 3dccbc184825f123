"""An attempt is recorded when files are first seen, and only then."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.course.first_seen import record_attempts
from grader.store.ports import Store
from tests.store.examples import attempt, minutes, submission
from tests.store.opened import opened

ONE, TWO = submission(text="one"), submission(text="two")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(f"sqlite:///{tmp_path}/store.sqlite") as store:
        yield store


def seen(store: Store) -> list[tuple[str | None, float]]:
    """The work and the minute of each attempt."""
    return [
        (each.submission, (each.submitted_at - minutes(0)).seconds / 60) for each in store.attempts.list()
    ]


def test_the_same_files_again_are_no_new_attempt(store: Store) -> None:
    record_attempts(store, [ONE, submission("bob")], minutes(1))
    record_attempts(store, [ONE], minutes(2))
    assert [(each.student, each.submission) for each in store.attempts.list()] == [
        (ONE.student, ONE.digest),
        ("bob", submission("bob").digest),
    ]


def test_other_files_are_and_so_are_earlier_ones_that_come_back(store: Store) -> None:
    for minute, work in enumerate((ONE, TWO, ONE, ONE)):
        record_attempts(store, [work], minutes(minute))
    assert seen(store) == [(ONE.digest, 0), (TWO.digest, 1), (ONE.digest, 2)]


def test_work_that_was_imported_keeps_its_time(store: Store) -> None:
    imported = [
        attempt(source="moodle 1", submission=ONE.digest, submitted_at=minutes(1)),
        attempt(source="moodle 2", submission=TWO.digest, submitted_at=minutes(2)),
    ]
    store.attempts.put_all(imported)
    record_attempts(store, [ONE], minutes(60))
    assert store.attempts.list() == tuple(imported)
