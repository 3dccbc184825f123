"""Pages speak the language that the visitor chose, or else the course's, or one that the browser accepts."""

import pytest

from grader.portal.languages import by_preference
from tests.portal.client import Portal
from tools.portal_course import ADA


@pytest.mark.parametrize(("accepted", "shown"), [("ru-RU,en;q=0.5", "ru"), ("zh-CN", "zh"), ("fr", "en")])
def test_a_page_speaks_what_the_browser_accepts(portal: Portal, accepted: str, shown: str) -> None:
    assert f'<html lang="{shown}">' in portal.visit(language=accepted).get("/sign-in").text


def test_the_language_of_the_course_goes_before_the_browsers(portal: Portal) -> None:
    course = portal.folder / "course.toml"
    course.write_text(course.read_text("utf-8").replace("[course]", '[course]\nlanguage = "ru"'), "utf-8")
    assert '<html lang="ru">' in portal.visit(language="zh").get("/sign-in").text


def test_a_choice_stays_in_the_browser(portal: Portal) -> None:
    client = portal.visit(language="ru")
    answer = client.post("/language", data={"language": "zh", "then": "/sign-in"})
    assert answer.headers["location"] == "/sign-in"
    assert '<html lang="zh">' in client.get("/sign-in").text


def test_a_choice_of_a_member_holds_in_every_browser(portal: Portal) -> None:
    portal.visit(ADA).post("/language", data={"language": "ru"})
    assert '<html lang="ru">' in portal.visit(ADA, language="zh").get("/no-such-page").text


def test_an_unknown_language_is_refused(portal: Portal) -> None:
    assert portal.visit().post("/language", data={"language": "xx"}).status_code == 400


def test_preferences_are_read_by_their_quality() -> None:
    assert by_preference("en;q=0.2, ru-RU;q=0.9, zh, fr;q=0, de;q=x") == ("zh", "ru", "en")
