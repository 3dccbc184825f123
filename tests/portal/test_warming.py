"""A server counts its class when it starts."""

from datetime import UTC, datetime

import pytest

from grader.course import class_grades
from grader.course.class_matrix import matrix_tag
from grader.portal.warming import Warming
from tests.portal.client import Portal


def _refuse(*_: object) -> None:
    pytest.fail("the class was counted again")


def test_the_class_is_counted_before_somebody_asks(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    with Warming(portal.workspace):
        pass
    monkeypatch.setattr(class_grades, "Works", _refuse)
    assert matrix_tag(portal.workspace, datetime.now(UTC))


def test_a_server_starts_with_a_mistake_in_the_course(portal: Portal) -> None:
    (portal.folder / "course.toml").write_text("[labs.no-such-lab]\npoints = 1\n", encoding="utf-8")
    with Warming(portal.workspace):
        pass
    assert portal.visit("tim-1955").get("/class").status_code == 400
