"""A server counts its class when it starts, and what changes while nobody looks."""

import time
from datetime import UTC, datetime

import pytest

from grader.course import class_grades
from grader.course.class_matrix import class_now
from grader.course.records import Records
from grader.course.works import Works
from grader.course.workspace import Workspace
from grader.portal.class_keeper import ClassKeeper
from grader.store.rulings import Override
from grader.store.values import Students
from tests.portal.client import Portal
from tests.store.examples import decision
from tools.portal_course import BOB, TIM


def _refuse(*_: object) -> None:
    pytest.fail("the class was counted again")


def test_the_class_is_counted_before_somebody_asks(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    with ClassKeeper(portal.server.course):
        pass
    monkeypatch.setattr(class_grades, "Works", _refuse)
    assert class_now(portal.workspace, datetime.now(UTC)).tag


def test_a_change_is_counted_while_nobody_looks(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[object] = []

    class Watched(Works):
        def __init__(self, workspace: Workspace, records: Records, students: Students = None) -> None:
            super().__init__(workspace, records, students)
            counted.append(students)

    monkeypatch.setattr(class_grades, "Works", Watched)
    store = portal.workspace.store
    assert store is not None

    def wait_until_counted(students: object) -> None:
        deadline = time.monotonic() + 10
        while students not in counted and time.monotonic() < deadline:
            time.sleep(0.01)
        assert students in counted

    with ClassKeeper(portal.server.course, 0.01):
        wait_until_counted(None)
        store.decisions.add(decision(Override(points=7), student=BOB, lab="matmul"))
        wait_until_counted(frozenset({BOB}))


def test_a_server_starts_with_a_mistake_in_the_course(portal: Portal) -> None:
    (portal.folder / "course.toml").write_text("[labs.no-such-lab]\npoints = 1\n", encoding="utf-8")
    with ClassKeeper(portal.server.course):
        pass
    assert portal.visit(TIM).get("/class").status_code == 400
