"""A password lets in whom it belongs to, at the same cost for strangers."""

import re
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from grader.course.accounts import passwords
from grader.course.usage import take
from grader.errors import UserError
from grader.portal.rates import PASSWORD
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB

SECRET = "a sentence nobody guesses"  # noqa: S105 - a test's own


@pytest.fixture
def known(portal: Portal) -> Portal:
    """A portal where Ada has a password."""
    passwords.set_password(portal.workspace, ADA, SECRET)
    return portal


def _sign_in(portal: Portal, name: str, password: str) -> TestClient | None:
    client = portal.visit()
    answer = client.post("/sign-in", data={"person": name, "password": password, "then": "/here"})
    if answer.status_code == 401:
        assert 'role="alert"' in answer.text
        return None
    assert (answer.status_code, answer.headers["location"]) == (303, "/here")
    return client


@pytest.mark.parametrize("name", [ADA, "ada@example.edu", "Ada@Example.edu"])
def test_an_id_or_address_and_the_password_let_in(known: Portal, name: str) -> None:
    assert _sign_in(known, name, SECRET) is not None


@pytest.mark.parametrize(
    ("name", "password"), [(ADA, "a sentence somebody guesses"), (BOB, SECRET), ("stranger", SECRET)]
)
def test_everything_else_is_refused_alike(known: Portal, name: str, password: str) -> None:
    assert _sign_in(known, name, password) is None


def test_a_stranger_costs_one_hash_as_a_member_does(known: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    verify = passwords._verify  # noqa: SLF001 - counts its calls

    def counted(stored: str, password: str) -> bool:
        hashed.append(stored)
        return verify(stored, password)

    monkeypatch.setattr(passwords, "_verify", counted)
    for name in (ADA, BOB, "stranger"):
        passwords.check(known.workspace, name, "wrong")
    parameters = {re.match(r"\$argon2id\$v=19\$(m=19456,t=2,p=1)\$", stored) is not None for stored in hashed}
    assert (len(hashed), parameters) == (3, {True})


def test_an_address_of_two_people_lets_nobody_in(known: Portal) -> None:
    with_store = known.workspace
    assert with_store.store is not None
    person = with_store.store.people.find(BOB)
    assert person is not None
    with_store.store.people.put_all([replace(person, email="ada@example.edu")])
    assert _sign_in(known, "ada@example.edu", SECRET) is None
    assert _sign_in(known, ADA, SECRET) is not None


def test_guesses_at_one_person_are_slowed_down_from_everywhere(known: Portal) -> None:
    while not take(known.workspace, PASSWORD, ADA):
        pass
    answer = known.visit().post("/sign-in", data={"person": ADA, "password": SECRET})
    assert answer.status_code == 429


def test_a_first_password_ends_other_sessions(portal: Portal) -> None:
    client, other = portal.visit(ADA), portal.visit(ADA)
    assert client.post("/me/password", data={"new": SECRET, "again": SECRET}).status_code == 303
    assert client.get("/me/password").status_code == 200
    assert other.get("/me/password").headers["location"].startswith("/sign-in")
    assert _sign_in(portal, ADA, SECRET) is not None


def test_a_change_needs_the_present_password(known: Portal) -> None:
    client = _sign_in(known, ADA, SECRET)
    assert client is not None
    new = {"new": "another long sentence", "again": "another long sentence"}
    assert client.post("/me/password", data=new).status_code == 400
    assert client.post("/me/password", data={**new, "former": "wrong"}).status_code == 400
    assert client.post("/me/password", data={**new, "former": SECRET}).status_code == 303
    assert _sign_in(known, ADA, SECRET) is None


def test_a_link_replaces_a_forgotten_password(known: Portal) -> None:
    new = {"new": "another long sentence", "again": "another long sentence"}
    assert known.visit(ADA).post("/me/password", data=new).status_code == 303
    assert _sign_in(known, ADA, "another long sentence") is not None


@pytest.mark.parametrize("new", ["short", ADA, "aaaaaaaaaaaaaaaa", "x" * 201])
def test_a_weak_password_is_refused(portal: Portal, new: str) -> None:
    with pytest.raises(UserError):
        passwords.set_password(portal.workspace, ADA, new)


def test_two_different_new_passwords_are_refused(portal: Portal) -> None:
    answer = portal.visit(ADA).post("/me/password", data={"new": SECRET, "again": SECRET + "!"})
    assert answer.status_code == 400


def test_a_course_without_passwords_has_no_such_form(portal: Portal) -> None:
    object.__setattr__(portal.server.settings, "passwords", False)
    assert 'name="password"' not in portal.visit().get("/sign-in").text
    assert portal.visit().post("/sign-in", data={"person": ADA, "password": SECRET}).status_code == 404
    assert portal.visit(ADA).post("/me/password", data={"new": SECRET, "again": SECRET}).status_code == 400
