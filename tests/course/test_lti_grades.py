"""Counted grades reach the columns of a course system: once, the newest, and again after a failure."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.live_workspace import LiveWorkspace
from grader.course.lti import pushing
from grader.course.lti.client import lti_client
from grader.course.lti.members import import_members
from grader.course.lti.pusher import Pusher
from grader.course.lti.pushing import Pushed, compare, push
from grader.course.lti.registering import published_keys, register, registered, rotate_keys
from grader.course.records import Records
from grader.course.roster import Change
from grader.course.workspace import Workspace, open_workspace
from grader.errors import UserError
from grader.store.lti_values import NewPlatform, Points, PushEventKind, PushState
from grader.store.rulings import Excuse, Override, Publication, Ruling
from tests.course.lti_course import LAB, LAUNCH_URL, MEMBERS, connected, graded
from tests.store.examples import NOON, decision, minutes, submission
from tools.course_system import CourseSystem, running
from tools.course_system.services import Content

COURSE = f"""[course]
title = "GPU"
time_zone = "UTC"
[labs.{LAB}]
{{rule}}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[CourseSystem]:
    with running() as system:
        yield system


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    lti_client.cache_clear()
    return open_workspace()


@pytest.fixture
def system(server: CourseSystem, workspace: Workspace) -> CourseSystem:
    server.content = Content(members=list(map(dict, MEMBERS)))
    connected(workspace, server)
    return server


def pushed(workspace: Workspace, *, retry: bool = False) -> Pushed:
    return push(workspace, lti_client(), LAUNCH_URL, retry=retry)


def shown(system: CourseSystem, subject: str) -> float | None:
    return system.content.shown(system.column(LAB), subject)


def decide(
    workspace: Workspace, ruling: Ruling, *, points: float | None = None, student: str = "ada"
) -> None:
    """Staff decide about a student's work that got ``points``, or about all of it."""
    work = None if points is None else submission(student, text=f"work of {points}")
    with Records(workspace) as records:
        given = decision(ruling) if work is None else decision(ruling, work)
        records.store.decisions.add(replace(given, student=student, lab=LAB))


def test_a_column_is_made_and_shows_the_counted_grade(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 75, NOON)
    assert pushed(workspace) == Pushed(sent=1)
    assert shown(system, "7") == 75
    (item,) = system.content.items.values()
    assert (item["resourceId"], item["scoreMaximum"]) == (LAB, 100)
    assert compare(workspace, lti_client()) == ()


def test_nothing_is_sent_twice(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 75, NOON)
    for _ in range(3):
        pushed(workspace)
    assert len(system.content.scores[system.column(LAB), "7"]) == 1
    assert len(system.content.items) == 1


def test_tokens_are_asked_for_once_for_each_scope(workspace: Workspace, system: CourseSystem) -> None:
    for student in ("ada", "bob"):
        graded(workspace, student, 75, NOON)
    assert pushed(workspace).sent == 2
    assert system.content.tokens == 2


def test_a_changed_grade_is_sent_again(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 40, NOON)
    pushed(workspace)
    graded(workspace, "ada", 90, minutes(5))
    assert pushed(workspace) == Pushed(sent=1)
    assert shown(system, "7") == 90
    decide(workspace, Override(points=12.5), points=90)
    pushed(workspace)
    assert shown(system, "7") == 12.5


def test_what_the_policy_counts_is_sent(workspace: Workspace, system: CourseSystem, tmp_path: Path) -> None:
    rule = 'due = "2026-03-01 11:00"\npoints = 10\nlate = "50 % a day"'
    (tmp_path / "course.toml").write_text(COURSE.format(rule=rule))
    graded(workspace, "ada", 80, NOON)
    pushed(workspace)
    assert shown(system, "7") == pytest.approx(4.0)  # half of 8 of 10 points


def test_an_excuse_empties_the_cell(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 40, NOON)
    pushed(workspace)
    decide(workspace, Excuse())
    assert pushed(workspace) == Pushed(sent=1)
    assert shown(system, "7") is None


def test_a_hidden_grade_waits_for_its_publication(
    workspace: Workspace, system: CourseSystem, tmp_path: Path
) -> None:
    (tmp_path / "course.toml").write_text(COURSE.format(rule='scores = "when published"'))
    graded(workspace, "ada", 40, NOON)
    assert pushed(workspace) == Pushed()
    decide(workspace, Publication(published=True), student="")
    assert pushed(workspace) == Pushed(sent=1)
    decide(workspace, Publication(published=False), student="")
    pushed(workspace)
    assert shown(system, "7") is None


def test_a_system_that_is_down_is_asked_once_a_round(workspace: Workspace, system: CourseSystem) -> None:
    for student in ("ada", "bob"):
        graded(workspace, student, 50, NOON)
    pushed(workspace)
    for student in ("ada", "bob"):
        graded(workspace, student, 60, minutes(1))
    system.content.is_down = True
    assert pushed(workspace) == Pushed(failed=1, waiting=2)
    system.content.is_down = False
    assert pushed(workspace) == Pushed(sent=1, waiting=1)
    assert pushed(workspace, retry=True) == Pushed(sent=1)
    assert (shown(system, "7"), shown(system, "8")) == (60, 60)
    with Records(workspace) as records:
        kinds = [event.kind for event in records.store.pushes.events()]
    assert kinds.count(PushEventKind.FAILED) == 1


def test_an_answer_that_is_lost_sends_nothing_twice(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 50, NOON)
    system.content.loses_answers = True
    assert pushed(workspace).failed == 1
    system.content.loses_answers = False
    assert pushed(workspace, retry=True).sent == 1
    assert len(system.content.scores[system.column(LAB), "7"]) == 1


def test_a_refused_grade_waits_for_staff(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 50, NOON)
    system.content.not_graded.add("7")
    assert pushed(workspace) == Pushed(refused=1)
    assert pushed(workspace) == Pushed()
    with Records(workspace) as records:
        (found,) = records.store.pushes.list()
    assert found.state is PushState.REFUSED
    assert "422" in found.why
    system.content.not_graded.clear()
    assert pushed(workspace, retry=True) == Pushed(sent=1)


def test_students_whom_the_system_does_not_know_are_left_out(
    workspace: Workspace, system: CourseSystem
) -> None:
    graded(workspace, "stranger", 50, NOON)
    assert pushed(workspace) == Pushed()
    assert system.content.scores == {}


def test_one_process_sends_at_a_time(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 50, NOON)
    with Records(workspace) as records:
        records.store.claims.claim(pushing.CLAIM, "another server", 60)
    with pytest.raises(UserError):
        pushed(workspace)
    assert system.content.scores == {}


def test_a_grade_that_staff_changed_there_is_found(workspace: Workspace, system: CourseSystem) -> None:
    graded(workspace, "ada", 50, NOON)
    pushed(workspace)
    (score,) = system.content.scores[system.column(LAB), "7"]
    score["scoreGiven"] = 99
    (found,) = compare(workspace, lti_client())
    assert (found.student, found.sent, found.shown) == (
        "ada",
        Points(points=50, most=100),
        Points(points=99, most=100),
    )


def test_pauses_double_up_to_an_hour() -> None:
    seconds = [pushing.pause_after(tries).total_seconds() for tries in (1, 2, 3, 8, 99)]
    assert seconds == [30, 60, 120, 3600, 3600]


@pytest.mark.usefixtures("system")
def test_the_roster_comes_from_every_page(workspace: Workspace) -> None:
    (preview,) = import_members(workspace, lti_client(), dry_run=True)
    changes = {each.person.id: each.change for each in preview.imported.enrolled}
    assert changes == {"ada": Change.CHANGED, "bob": Change.CHANGED, "dan@example.edu": Change.ADDED}
    with Records(workspace) as records:
        assert {each.id for each in records.store.people.list()} == {"ada", "bob"}
    import_members(workspace, lti_client())
    with Records(workspace) as records:
        people = {each.id: each.name for each in records.store.people.list()}
    assert people == {"ada": "Ada Lovelace", "bob": "Bob Brown", "dan@example.edu": "Dan Dare"}


def test_a_roster_that_does_not_come_changes_nothing(workspace: Workspace, system: CourseSystem) -> None:
    system.content.is_down = True
    with pytest.raises(UserError):
        import_members(workspace, lti_client())


@pytest.mark.usefixtures("system")
def test_a_new_key_is_published_before_it_signs(workspace: Workspace) -> None:
    (before,) = published_keys(workspace)["keys"]
    rotate_keys(workspace)
    assert before in published_keys(workspace)["keys"]
    assert len(published_keys(workspace)["keys"]) == 2
    graded(workspace, "ada", 50, NOON)
    assert pushed(workspace).sent == 1


@pytest.mark.parametrize("url", ["http://lms.example.edu/auth", "ftp://x", "lms", "https://"])
def test_an_address_without_https_is_refused(workspace: Workspace, url: str) -> None:
    addresses = {"login_url": url, "token_url": "https://a", "keys_url": "https://a"}
    with pytest.raises(UserError):
        register(workspace, NewPlatform(issuer="https://lms", client_id="c", deployments=("1",), **addresses))
    assert registered(workspace) == ()


def test_a_server_sends_in_the_background_and_outlives_a_fault(
    workspace: Workspace, system: CourseSystem
) -> None:
    graded(workspace, "ada", 50, NOON)
    with Records(workspace) as records:
        records.store.claims.claim(pushing.CLAIM, "another server", 60)
        with Pusher(LiveWorkspace(workspace), pause=0.05):
            time.sleep(0.5)
            assert system.content.scores == {}
            records.store.claims.release(pushing.CLAIM, "another server")
            deadline = time.monotonic() + 30
            while not system.content.scores and time.monotonic() < deadline:
                time.sleep(0.05)
    assert shown(system, "7") == 50
