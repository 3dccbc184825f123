"""The contract of every store. A test class inherits from ``StoreContract`` and provides the fixture ``store``."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from grader.model.run import EngineKind
from grader.store.port import HISTORY, Store
from tests.store.records import NOON, record, review


class StoreContract:
    """The conformance suite of the store port."""

    def test_a_record_is_found_by_its_key_exactly_as_it_was_put(self, store: Store) -> None:
        kept = record()
        store.put(kept)
        assert store.find(kept.key) == kept

    @pytest.mark.parametrize(
        "change",
        [
            {"student": "student-02"},
            {"lab": "matmul"},
            {"submission": "other"},
            {"lab_version": "other"},
            {"grader": "other"},
            {"options": "other"},
        ],
        ids=lambda change: next(iter(change)),
    )
    def test_a_run_that_differs_in_anything_is_not_found(
        self, store: Store, change: Mapping[str, Any]
    ) -> None:
        kept = record()
        store.put(kept)
        assert store.find(replace(kept.key, **change)) is None

    def test_a_run_on_another_engine_or_device_is_not_found(self, store: Store) -> None:
        kept = record()
        store.put(kept)
        for change in ({"kind": EngineKind.CUDA}, {"device": "NVIDIA H200"}):
            assert store.find(replace(kept.key, engine=replace(kept.key.engine, **change))) is None

    def test_grading_the_same_run_again_replaces_its_record(self, store: Store) -> None:
        store.put(record(score=10))
        again = record(score=20, minutes=1)
        store.put(again)
        assert store.find(again.key) == again
        assert store.forget("student-01") == 1

    def test_the_latest_is_the_one_graded_last(self, store: Store) -> None:
        new, old = record(submission="new", minutes=5), record(submission="old", minutes=1)
        store.put(new)
        store.put(old)
        assert store.latest("student-01", "row-sum") == new

    def test_of_simultaneous_records_the_last_put_is_the_latest(self, store: Store) -> None:
        store.put(record(submission="first"))
        second = record(submission="second")
        store.put(second)
        assert store.latest("student-01", "row-sum") == second

    def test_a_student_without_records_has_no_latest(self, store: Store) -> None:
        store.put(record())
        assert store.latest("student-01", "matmul") is None
        assert store.latest("student-99", "row-sum") is None

    def test_latest_all_gives_one_record_per_student_and_lab(self, store: Store) -> None:
        records = [
            record("b", "row-sum", submission="old"),
            record("b", "row-sum", submission="new", minutes=1),
            record("a", "row-sum"),
            record("c", "matmul"),
        ]
        for each in records:
            store.put(each)
        assert store.latest_all() == (records[3], records[2], records[1])
        assert store.latest_all(lab="row-sum") == (records[2], records[1])
        assert store.latest_all(lab="transpose") == ()

    def test_latest_all_of_one_engine_skips_records_of_the_other(self, store: Store) -> None:
        measured = record(engine=EngineKind.CUDA)
        modelled = record(engine=EngineKind.EMULATOR, minutes=1)
        store.put(measured)
        store.put(modelled)
        assert store.latest_all(engine=EngineKind.CUDA) == (measured,)
        assert store.latest_all() == (modelled,)

    def test_the_history_lists_records_the_newest_first(self, store: Store) -> None:
        new, old = record("a", submission="new", minutes=5), record("a", submission="old", minutes=1)
        other = record("b", minutes=9)
        elsewhere = record("a", "matmul", minutes=7)
        for each in (new, other, old, elsewhere):
            store.put(each)
        assert store.history() == (elsewhere, new, old, other)
        assert store.history("row-sum") == (new, old, other)
        assert store.history("transpose") == ()

    def test_forgetting_a_student_leaves_the_others(self, store: Store) -> None:
        other = record("student-02")
        for each in (record(), record(lab="matmul"), other):
            store.put(each)
        assert store.forget("student-01", "matmul") == 1
        assert store.forget("student-01") == 1
        assert store.forget("student-01") == 0
        assert store.latest_all() == (other,)

    def test_only_the_newest_records_of_a_students_work_are_kept(self, store: Store) -> None:
        neighbour = record("student-02", minutes=-1)
        store.put(neighbour)
        puts = [record(submission=str(number), minutes=number) for number in range(HISTORY + 3)]
        for each in puts:
            store.put(each)
        assert [store.find(each.key) for each in puts[:3]] == [None, None, None]
        assert store.find(puts[3].key) == puts[3]
        assert store.find(neighbour.key) == neighbour

    def test_names_may_hold_anything_printable(self, store: Store) -> None:
        kept = record("Zoë 'O\"Neil'; DROP TABLE <b>👩‍💻</b> \\xff =1+1", "row-sum")
        store.put(kept)
        assert store.latest(kept.key.student, "row-sum") == kept

    def test_a_time_in_another_zone_is_the_same_instant(self, store: Store) -> None:
        local = (NOON + timedelta(minutes=3)).astimezone(timezone(timedelta(hours=9)))
        store.put(replace(record(submission="later"), created_at=local))
        store.put(record(submission="earlier", minutes=2))
        latest = store.latest("student-01", "row-sum")
        assert latest is not None
        assert latest.created_at == local

    def test_a_time_without_a_zone_is_refused(self, store: Store) -> None:
        with pytest.raises(ValueError, match="time zone"):
            store.put(replace(record(), created_at=NOON.replace(tzinfo=None)))

    def test_reviews_keep_their_order_across_graders(self, store: Store) -> None:
        key = record().key
        first, second = review("first"), review("second")
        store.add_review(key.submission_key, first)
        store.add_review(replace(key, grader="another", options="others").submission_key, second)
        assert store.reviews(key.submission_key) == (first, second)

    @pytest.mark.parametrize(
        "change",
        [{"student": "student-02"}, {"lab": "matmul"}, {"submission": "other"}, {"lab_version": "other"}],
        ids=lambda change: next(iter(change)),
    )
    def test_a_review_is_of_one_hand_in_to_one_lab(self, store: Store, change: Mapping[str, Any]) -> None:
        store.add_review(record().key.submission_key, review("this one"))
        assert store.reviews(replace(record().key, **change).submission_key) == ()

    def test_a_student_who_is_forgotten_takes_the_reviews_along(self, store: Store) -> None:
        mine, theirs = record(), record("student-02")
        for kept in (mine, theirs):
            store.put(kept)
            store.add_review(kept.key.submission_key, review("seen"))
        assert store.forget("student-01", "row-sum") == 1
        assert store.reviews(mine.key.submission_key) == ()
        assert store.reviews(theirs.key.submission_key) == (review("seen"),)
