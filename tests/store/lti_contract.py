"""The conformance suites of the ports about course systems that speak LTI."""

from dataclasses import replace
from datetime import timedelta

import pytest

from grader.store.lti_values import (
    LabLink,
    NewContext,
    NewPlatform,
    PendingLogin,
    Points,
    PushEventKind,
    PushState,
    ToolKey,
)
from grader.store.ports import Store
from tests.store.examples import NOON, minutes

CANVAS = NewPlatform(
    issuer="https://canvas.instructure.com",
    client_id="10000000000001",
    login_url="https://sso.example.edu/authorize",
    token_url="https://sso.example.edu/token",  # noqa: S106 - an address, no secret
    keys_url="https://sso.example.edu/jwks",
    deployments=("1:abc", "2:def"),
)
KEY = ToolKey(kid="first", private_key="PEM", since=NOON)
FULL, HALF = Points(points=100.0, most=100.0), Points(points=50.0, most=100.0)


def linked(store: Store) -> LabLink:
    """A lab of a connected course."""
    platform = store.platforms.put(CANVAS, KEY)
    context = store.platforms.connect(
        NewContext(platform=platform.id, deployment="1:abc", context="course-7", title="GPU")
    )
    return store.platforms.link(context.id, "row-sum", "https://lms.example.edu/items/1")


class PlatformsContract:
    """What every ``Platforms`` does."""

    def test_a_platform_comes_back_with_its_key(self, store: Store) -> None:
        made = store.platforms.put(CANVAS, KEY)
        assert store.platforms.list() == (made,)
        assert (made.deployments, made.keys) == (CANVAS.deployments, (KEY,))

    def test_a_second_registration_keeps_keys_and_courses(self, store: Store) -> None:
        first = store.platforms.put(CANVAS, KEY)
        store.platforms.connect(NewContext(platform=first.id, deployment="1", context="c", title=""))
        moved = replace(CANVAS, keys_url="https://new.example.edu/jwks", deployments=("3",))
        again = store.platforms.put(moved, replace(KEY, kid="second"))
        assert (again.id, again.keys_url, again.deployments) == (first.id, moved.keys_url, ("3",))
        assert again.keys == (KEY,)
        assert len(store.platforms.contexts()) == 1

    def test_one_issuer_may_have_many_clients(self, store: Store) -> None:
        store.platforms.put(CANVAS, KEY)
        store.platforms.put(replace(CANVAS, client_id="other"), replace(KEY, kid="other"))
        assert [each.client_id for each in store.platforms.list()] == [CANVAS.client_id, "other"]

    def test_the_newest_two_keys_stay(self, store: Store) -> None:
        made = store.platforms.put(CANVAS, KEY)
        for number in (2, 3):
            store.platforms.add_key(
                made.id, ToolKey(kid=f"key {number}", private_key="PEM", since=minutes(number))
            )
        (found,) = store.platforms.list()
        assert [key.kid for key in found.keys] == ["key 2", "key 3"]

    def test_a_login_is_taken_once(self, store: Store) -> None:
        login = PendingLogin(platform=store.platforms.put(CANVAS, KEY).id, nonce="n")
        store.platforms.begin_login("digest", login, minutes(5))
        assert store.platforms.end_login("digest", NOON) == login
        assert store.platforms.end_login("digest", NOON) is None

    def test_an_expired_login_counts_no_more(self, store: Store) -> None:
        login = PendingLogin(platform=store.platforms.put(CANVAS, KEY).id, nonce="n")
        store.platforms.begin_login("digest", login, minutes(5))
        assert store.platforms.end_login("digest", minutes(5)) is None

    def test_a_link_keeps_its_column(self, store: Store) -> None:
        link = linked(store)
        assert store.platforms.link(link.context, "row-sum") == link
        assert store.platforms.links() == (link,)
        moved = store.platforms.link(link.context, "row-sum", "https://lms.example.edu/items/2")
        assert (moved.id, moved.line_item) == (link.id, "https://lms.example.edu/items/2")

    def test_a_connected_course_is_known_by_its_id(self, store: Store) -> None:
        link = linked(store)
        (context,) = store.platforms.contexts()
        again = store.platforms.connect(
            NewContext(
                platform=context.platform,
                deployment="1:abc",
                context="course-7",
                title="GPU",
                members_url="https://m",
            )
        )
        assert (again.id, again.members_url) == (link.context, "https://m")


class PushesContract:
    """What every ``Pushes`` does."""

    def test_a_grade_is_due_until_it_is_delivered(self, store: Store) -> None:
        link = linked(store)
        assert store.pushes.want(link, {"ada": FULL, "bob": None}, NOON) == 1
        (due,) = store.pushes.due(NOON)
        started = store.pushes.start(due, NOON)
        assert started is not None
        assert (started.student, started.wanted, started.stamp, started.tries) == ("ada", FULL, NOON, 1)
        store.pushes.delivered(started, NOON)
        assert store.pushes.due(minutes(99)) == ()
        (sent,) = store.pushes.list()
        assert (sent.state, sent.sent) == (PushState.SENT, FULL)

    def test_the_same_grade_is_wanted_once(self, store: Store) -> None:
        link = linked(store)
        assert store.pushes.want(link, {"ada": FULL}, NOON) == 1
        assert store.pushes.want(link, {"ada": FULL}, minutes(1)) == 0
        assert len(store.pushes.due(minutes(1))) == 1

    def test_one_of_two_senders_starts(self, store: Store) -> None:
        store.pushes.want(linked(store), {"ada": FULL}, NOON)
        (due,) = store.pushes.due(NOON)
        assert store.pushes.start(due, NOON) is not None
        assert store.pushes.start(due, NOON) is None

    def test_the_newest_grade_wins_while_one_is_sent(self, store: Store) -> None:
        link = linked(store)
        store.pushes.want(link, {"ada": HALF}, NOON)
        started = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert started is not None
        assert store.pushes.want(link, {"ada": FULL}, NOON) == 1
        store.pushes.delivered(started, NOON)
        (due,) = store.pushes.due(NOON)
        assert (due.wanted, due.sent) == (FULL, HALF)
        again = store.pushes.start(due, NOON)
        assert again is not None
        assert again.stamp is not None
        assert again.stamp > NOON

    def test_a_grade_that_changes_back_is_not_sent(self, store: Store) -> None:
        link = linked(store)
        store.pushes.want(link, {"ada": HALF}, NOON)
        started = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert started is not None
        store.pushes.delivered(started, NOON)
        store.pushes.want(link, {"ada": FULL}, minutes(1))
        assert store.pushes.want(link, {"ada": HALF}, minutes(2)) == 0
        assert store.pushes.due(minutes(9)) == ()

    def test_a_grade_under_way_does_not_change_back_unseen(self, store: Store) -> None:
        link = linked(store)
        store.pushes.want(link, {"ada": HALF}, NOON)
        first = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert first is not None
        store.pushes.delivered(first, NOON)
        store.pushes.want(link, {"ada": FULL}, minutes(1))
        assert store.pushes.start(store.pushes.due(minutes(1))[0], minutes(1)) is not None
        assert store.pushes.want(link, {"ada": HALF}, minutes(2)) == 1

    def test_a_dead_sender_leaves_the_stamp_of_its_request(self, store: Store) -> None:
        store.pushes.want(linked(store), {"ada": FULL}, NOON)
        first = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        (left,) = store.pushes.due(minutes(1))
        second = store.pushes.start(left, minutes(1))
        assert first is not None
        assert second is not None
        assert (second.stamp, second.tries) == (first.stamp, 2)

    def test_a_failure_waits_for_its_next_try(self, store: Store) -> None:
        store.pushes.want(linked(store), {"ada": FULL}, NOON)
        started = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert started is not None
        store.pushes.failed(started, "HTTP 503", NOON, minutes(5))
        assert store.pushes.due(minutes(4)) == ()
        (due,) = store.pushes.due(minutes(5))
        assert (due.why, due.stamp) == ("HTTP 503", started.stamp)

    def test_a_refused_grade_waits_for_staff_or_a_change(self, store: Store) -> None:
        link = linked(store)
        store.pushes.want(link, {"ada": HALF, "bob": HALF}, NOON)
        for due in store.pushes.due(NOON):
            started = store.pushes.start(due, NOON)
            assert started is not None
            store.pushes.failed(started, "HTTP 404", NOON, None)
        assert store.pushes.due(minutes(999)) == ()
        store.pushes.want(link, {"ada": FULL}, NOON)
        assert [push.student for push in store.pushes.due(NOON)] == ["ada"]
        assert store.pushes.retry(NOON) == 1
        assert {push.student for push in store.pushes.due(NOON)} == {"ada", "bob"}

    def test_a_grade_that_is_withdrawn_empties_the_cell(self, store: Store) -> None:
        link = linked(store)
        store.pushes.want(link, {"ada": HALF}, NOON)
        started = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert started is not None
        store.pushes.delivered(started, NOON)
        assert store.pushes.want(link, {"ada": None}, minutes(1)) == 1
        (due,) = store.pushes.due(minutes(1))
        assert due.wanted is None

    def test_the_log_has_what_happened(self, store: Store) -> None:
        store.pushes.want(linked(store), {"ada": FULL}, NOON)
        started = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert started is not None
        store.pushes.failed(started, "HTTP 503", NOON, NOON + timedelta(seconds=30))
        store.pushes.retry(NOON)
        store.pushes.delivered(started, minutes(1))
        found = store.pushes.events()
        assert [event.kind for event in reversed(found)] == [
            PushEventKind.WANTED,
            PushEventKind.FAILED,
            PushEventKind.RETRIED,
            PushEventKind.SENT,
        ]
        assert (found[0].student, found[0].points, found[2].detail) == ("ada", 100.0, "HTTP 503")

    @pytest.mark.parametrize("lab", [None, "row-sum"])
    def test_an_erased_student_has_no_grade_under_way(self, store: Store, lab: str | None) -> None:
        store.pushes.want(linked(store), {"ada": FULL}, NOON)
        started = store.pushes.start(store.pushes.due(NOON)[0], NOON)
        assert started is not None
        store.forget("ada", lab)
        store.pushes.delivered(started, NOON)
        assert store.pushes.list() == ()
        assert store.pushes.events() == ()
