"""The conformance suites of the ports about a course: attempts and people."""

from dataclasses import replace

import pytest

from grader.model.reason import reason
from grader.model.verdict import Verdict
from grader.store.attempts import Refusal
from grader.store.people import IdSystem, Person, PersonId
from grader.store.ports import Store
from grader.store.values import EventKind
from tests.store.examples import NOON, attempt, minutes, put_score, submission

ADA = Person(
    id="007",
    name="Ада Пример",
    email="ada@example.edu",
    section="A",
    language="ru",
    groups=("team 2", "team 10"),
    labels=("extra time",),
    ids=(
        PersonId(system=IdSystem.CANVAS, value="0042"),
        PersonId(system=IdSystem.MOODLE, value="12345"),
    ),
)
BO = Person(id="7", name="Ада Пример")


class AttemptsContract:
    """What every ``Attempts`` does."""

    def test_an_attempt_comes_back_as_it_was_put(self, store: Store) -> None:
        full = attempt(number=2, group="team 1", note="late by mail")
        bare = attempt(source="history", submission=None, submitted_at=minutes(1))
        assert store.attempts.put_all([full, bare]) == (full, bare)
        assert store.attempts.list() == (full, bare)

    def test_a_refused_attempt_keeps_its_reason(self, store: Store) -> None:
        why = reason("too-many-sources", count=40, limit=32)
        refused = attempt(refusal=Refusal(verdict=Verdict.OVER_THE_LIMIT, reason=why))
        store.attempts.put_all([refused])
        assert store.attempts.list() == (refused,)

    def test_the_same_source_again_adds_nothing(self, store: Store) -> None:
        first = attempt()
        store.attempts.put_all([first])
        changed = replace(first, submitted_at=minutes(9), received_at=minutes(9))
        assert store.attempts.put_all([changed]) == ()
        assert store.attempts.list() == (first,)

    def test_a_source_is_one_for_each_student_and_lab(self, store: Store) -> None:
        several = [attempt(), attempt("student-02"), attempt(lab="matmul")]
        assert len(store.attempts.put_all(several)) == 3
        assert store.attempts.list(lab="row-sum", student="student-02") == (several[1],)

    def test_attempts_are_listed_by_time_of_submission(self, store: Store) -> None:
        late, early = attempt(source="a", submitted_at=minutes(5)), attempt(source="b")
        store.attempts.put_all([late, early])
        assert store.attempts.list() == (early, late)

    def test_all_attempts_are_added_or_none(self, store: Store) -> None:
        timeless = attempt(source="b", submitted_at=NOON.replace(tzinfo=None))
        with pytest.raises(ValueError, match="time zone"):
            store.attempts.put_all([attempt(), timeless])
        assert store.attempts.list() == ()

    def test_a_new_attempt_leaves_an_event_and_a_known_one_none(self, store: Store) -> None:
        for _ in range(2):
            store.attempts.put_all([attempt()])
        (event,) = store.events.list()
        assert (event.kind, event.detail) == (EventKind.ATTEMPTED, attempt().source)


class PeopleContract:
    """What every ``People`` does."""

    def test_a_person_comes_back_as_they_were_put(self, store: Store) -> None:
        store.people.put_all([ADA])
        assert store.people.find(ADA.id) == ADA
        assert store.people.find("nobody") is None

    def test_equal_names_are_two_people_and_leading_zeros_count(self, store: Store) -> None:
        store.people.put_all([BO, ADA])
        assert store.people.list() == (ADA, BO)

    def test_a_person_is_replaced_as_a_whole(self, store: Store) -> None:
        store.people.put_all([ADA, BO])
        changed = Person(id=ADA.id, name="Ada", ids=(PersonId(system=IdSystem.GITHUB, value="ada"),))
        store.people.put_all([changed])
        assert store.people.list() == (changed, BO)

    def test_people_are_found_by_their_id_elsewhere(self, store: Store) -> None:
        store.people.put_all([ADA, BO])
        assert store.people.by_id(IdSystem.CANVAS) == {"0042": ADA}
        assert store.people.by_id(IdSystem.GITHUB) == {}

    def test_one_id_elsewhere_is_of_one_person(self, store: Store) -> None:
        store.people.put_all([ADA])
        with pytest.raises(ValueError, match="0042"):
            store.people.put_all([BO, replace(BO, id="8", ids=ADA.ids)])
        assert store.people.list() == (ADA,)

    def test_two_people_may_swap_their_ids(self, store: Store) -> None:
        bo = replace(BO, ids=(PersonId(system=IdSystem.CANVAS, value="0043"),))
        store.people.put_all([ADA, bo])
        swapped = (replace(ADA, ids=bo.ids), replace(bo, ids=ADA.ids))
        store.people.put_all(swapped)
        assert store.people.list() == swapped

    def test_the_same_roster_again_changes_nothing(self, store: Store) -> None:
        for _ in range(2):
            store.people.put_all([ADA, BO])
        store.people.put_all([replace(BO, section="B")])
        events = [(event.kind, event.student, event.detail) for event in reversed(store.events.list())]
        assert events == [
            (EventKind.ENROLLED, "007", "added"),
            (EventKind.ENROLLED, "7", "added"),
            (EventKind.ENROLLED, "7", "changed"),
        ]


class CourseRetentionContract:
    """What forgetting a student takes along."""

    def test_forgetting_a_student_takes_them_off_the_roster(self, store: Store) -> None:
        store.people.put_all([ADA, BO])
        store.attempts.put_all([attempt(ADA.id), attempt(BO.id)])
        put_score(store, submission(ADA.id))
        assert store.forget(ADA.id) == 1
        assert store.people.list() == (BO,)
        assert [each.student for each in store.attempts.list()] == [BO.id]
        assert store.events.list(student=ADA.id) == ()

    def test_forgetting_one_lab_leaves_the_person(self, store: Store) -> None:
        store.people.put_all([ADA])
        store.attempts.put_all([attempt(ADA.id), attempt(ADA.id, "matmul")])
        store.forget(ADA.id, "row-sum")
        assert store.people.list() == (ADA,)
        assert [each.lab for each in store.attempts.list()] == ["matmul"]


class CourseContract(AttemptsContract, PeopleContract, CourseRetentionContract):
    """Everything that every store does for a course."""
