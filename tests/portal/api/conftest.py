"""Clients of the API, each with a token of a person of the small course."""

from collections.abc import Callable

import pytest

from grader.course.accounts import tokens
from grader.policy.access import SCOPES_OF
from tests.portal.api.described import Api
from tests.portal.client import Portal
from tools.portal_course import PEOPLE

As = Callable[[str], Api]
"""The API for a person."""


def as_person(portal: Portal) -> As:
    """Makes a client of ``portal`` with a new token that has every scope of its person."""
    nobody = Api(portal.visit())

    def client(person: str) -> Api:
        scopes = SCOPES_OF[PEOPLE[person].role]
        issued = tokens.issue(portal.workspace, person, "a test", within=scopes)
        return nobody.by(issued.secret)

    return client


@pytest.fixture
def api(portal: Portal) -> As:
    """The API of a portal of the test's own."""
    return as_person(portal)


@pytest.fixture(scope="module")
def read_api(read_portal: Portal) -> As:
    """The API of a portal that is only read."""
    return as_person(read_portal)
