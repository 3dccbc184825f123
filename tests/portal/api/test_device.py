"""A program gets a token when its user confirms the code that it shows."""

import re

import pytest
from starlette.testclient import TestClient

from grader.course.accounts import device_links
from grader.messages import LANGUAGES
from tests.portal.api.described import Api
from tests.portal.client import Portal
from tools.portal_course import ADA, OLGA


@pytest.fixture
def program(portal: Portal) -> Api:
    """A program without a token."""
    return Api(portal.visit())


def start(program: Api, label: str = "laptop") -> dict[str, str]:
    answer = program("POST", "/device", json={"label": label})
    assert answer.status_code == 201
    found: dict[str, str] = answer.json()
    return found


def claim(program: Api, started: dict[str, str]) -> tuple[int, str]:
    """The status, and the code of the refusal or the secret."""
    answer = program("POST", "/device/token", json={"device_code": started["device_code"]})
    said = answer.json()
    return answer.status_code, said["secret"] if answer.status_code == 200 else said["error"]["code"]


def decide(browser: TestClient, code: str, decision: str) -> int:
    return browser.post("/device/decide", data={"code": code, "decision": decision}).status_code


def test_a_confirmed_program_gets_its_token_once(program: Api, portal: Portal) -> None:
    started = start(program)
    assert claim(program, started) == (400, "device-pending")
    browser = portal.visit(ADA)
    page = browser.post("/device", data={"code": started["user_code"].lower().replace("-", " ")})
    assert page.status_code == 200
    assert "laptop" in page.text
    assert claim(program, started) == (400, "device-pending")
    assert decide(browser, started["user_code"], "accept") == 200
    status, secret = claim(program, started)
    assert status == 200
    me = program.by(secret)("GET", "/me").json()
    assert (me["person"], me["scopes"]) == (ADA, ["read:own", "submit"])
    assert claim(program, started) == (400, "device-expired")


def test_a_refused_program_gets_nothing(program: Api, portal: Portal) -> None:
    started = start(program)
    browser = portal.visit(ADA)
    assert decide(browser, started["user_code"], "refuse") == 200
    assert decide(browser, started["user_code"], "accept") == 400
    assert claim(program, started) == (400, "device-refused")
    assert claim(program, started) == (400, "device-expired")


def test_an_unknown_code_or_secret_is_refused(program: Api, portal: Portal) -> None:
    browser = portal.visit(ADA)
    for code in ("BBBB-BBBB", "", "x" * 41, "<script>"):
        assert browser.post("/device", data={"code": code}).status_code == 400
    assert claim(program, {"device_code": "none"}) == (400, "device-expired")


def test_a_visitor_signs_in_before_confirming(portal: Portal) -> None:
    answer = portal.visit().get("/device")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?then=/device")


def test_staff_give_a_program_no_right_to_decide(program: Api, portal: Portal) -> None:
    started = start(program)
    decide(portal.visit(OLGA), started["user_code"], "accept")
    _, secret = claim(program, started)
    assert program.by(secret)("GET", "/me").json()["scopes"] == ["read:course"]


def test_a_label_is_shown_as_text(program: Api, portal: Portal) -> None:
    started = start(program, "<b>\n\x1b[31mx" + "y" * 200)
    page = portal.visit(ADA).post("/device", data={"code": started["user_code"]}).text
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "y" * 81 not in page


def test_codes_differ_and_are_easy_to_type(portal: Portal) -> None:
    codes = {device_links.start(portal.workspace, "x").code for _ in range(50)}
    assert len(codes) == 50
    assert [
        code for code in codes if not re.fullmatch("[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}", code)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_speak_every_language(portal: Portal, language: str) -> None:
    browser = portal.visit(ADA)
    browser.post("/language", data={"language": language})
    started = start(Api(portal.visit()))
    for page in (browser.get("/device"), browser.post("/device", data={"code": started["user_code"]})):
        assert f'<html lang="{language}">' in page.text
        assert page.text.count("<h1>") == 1
