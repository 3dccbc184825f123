"""Who gets in by a link, and how a session ends."""

from datetime import timedelta

import pytest

from grader.course.accounts import links, sessions
from grader.course.accounts.members import disable
from grader.course.usage import take
from grader.errors import NotFoundError
from grader.portal.rates import SIGN_IN
from tests.portal.client import Portal
from tools.portal_course import ADA, INES

COOKIE = "grader-session"


def test_a_visitor_is_led_to_sign_in_and_back(portal: Portal) -> None:
    answer = portal.visit().get("/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
    assert portal.visit().get("/sign-in").status_code == 200
    signed_in = portal.visit(ADA).get("/sign-in?then=/labs")
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/labs")


@pytest.mark.parametrize("then", ["https://evil.example", "//evil.example", "/\\evil.example", "labs"])
def test_a_sign_in_leads_to_no_other_site(portal: Portal, then: str) -> None:
    answer = portal.visit(ADA).get("/sign-in", params={"then": then})
    assert answer.headers["location"] == "/"


def test_a_link_shows_a_button_and_signs_in_once(portal: Portal) -> None:
    path = links.invite(portal.workspace, ADA).url("")
    client = portal.visit()
    for _ in range(2):
        assert client.get(path).status_code == 200
        assert COOKIE not in client.cookies
    assert client.post(path).status_code == 303
    assert client.get("/").status_code in {200, 303}
    assert client.get("/").headers.get("location") != "/sign-in"
    assert portal.visit().post(path).status_code == 410
    assert portal.visit().get(path).status_code == 410


def test_an_expired_link_signs_nobody_in(portal: Portal) -> None:
    path = links.invite(portal.workspace, ADA, life=timedelta(seconds=-1)).url("")
    assert portal.visit().get(path).status_code == 410
    assert portal.visit().post(path).status_code == 410


def test_nobody_outside_the_course_is_invited(portal: Portal) -> None:
    with pytest.raises(NotFoundError):
        links.invite(portal.workspace, "stranger")


def test_a_session_ends_when_its_person_signs_out(portal: Portal) -> None:
    client, other = portal.visit(ADA), portal.visit(ADA)
    secret = client.cookies[COOKIE]
    assert client.post("/sign-out").status_code == 303
    client.cookies.set(COOKIE, secret)
    assert client.get("/").headers["location"] == "/sign-in"
    assert other.get("/").headers.get("location") != "/sign-in"


def test_a_disabled_account_is_signed_out_at_once(portal: Portal) -> None:
    client = portal.visit(ADA)
    disable(portal.workspace, ADA)
    assert client.get("/").headers["location"] == "/sign-in"


def test_the_store_holds_no_secret(portal: Portal) -> None:
    link = links.invite(portal.workspace, ADA)
    secret = portal.visit(ADA).cookies[COOKIE]
    for file in (portal.folder / ".grader").iterdir():
        content = file.read_bytes()
        assert secret.encode() not in content
        assert link.secret.encode() not in content


def test_the_first_instructor_gets_a_link_until_there_is_one(portal: Portal) -> None:
    assert links.invite_first_instructor(portal.workspace) is None
    assert sessions.listed(portal.workspace, INES) == ()


def test_guesses_at_links_are_slowed_down(portal: Portal) -> None:
    client = portal.visit()
    assert client.post("/sign-in/link/guess").status_code == 410
    while not take(portal.workspace, SIGN_IN, "testclient"):
        pass
    answer = client.post("/sign-in/link/guess")
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
