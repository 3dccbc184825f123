"""The log of requests says which page was asked for, and holds no secret."""

from collections.abc import Iterator

import pytest

from grader.course.accounts import links
from grader.logs import Level, configure
from tests.portal.client import Portal
from tools.portal_course import ADA


@pytest.fixture
def lines() -> Iterator[list[str]]:
    found: list[str] = []
    configure(level=Level.DEBUG, write=found.append)
    yield found
    configure()


def test_a_line_has_the_page_and_no_address(portal: Portal, lines: list[str]) -> None:
    link = links.invite(portal.workspace, ADA)
    client = portal.visit()
    client.get(link.url("") + "?then=/private")
    client.post(link.url(""))
    assert [line for line in lines if "/sign-in/link/{secret}" in line and "status=303" in line]
    assert not [line for line in lines if link.secret in line or "private" in line]


def test_an_unknown_address_is_logged_without_it(portal: Portal, lines: list[str]) -> None:
    portal.visit().get("/a-secret-address")
    assert "page='unknown'" in lines[-1]
    assert not [line for line in lines if "a-secret-address" in line]
