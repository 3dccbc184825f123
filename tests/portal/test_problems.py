"""Pages that say what went wrong, in three languages; htmx gets a part of a page."""

from dataclasses import replace

import pytest
from starlette.responses import Response

from grader.course.usage import take
from grader.portal.asked import Asked
from grader.portal.page import FORM_BYTES
from grader.portal.rates import SIGN_IN
from grader.portal.router import route
from grader.portal.site import ROUTES
from tests.portal.client import Portal
from tools.portal_course import ADA

WORDS = {"en": "Something failed on the server", "ru": "Ошибка на сервере", "zh": "服务器出错"}


@pytest.fixture
def broken(portal: Portal) -> Portal:
    """A portal with a page that fails."""

    def failing(_asked: Asked) -> Response:
        msg = "a secret of the server"
        raise RuntimeError(msg)

    page = next(page for page in ROUTES if page.path == "/sign-in" and page.methods == ("GET",))
    portal.app.router.routes.insert(0, route(replace(page, path="/broken", endpoint=failing), portal.server))
    return portal


@pytest.mark.parametrize("language", WORDS)
def test_a_fault_is_said_without_its_cause(broken: Portal, language: str) -> None:
    answer = broken.visit(ADA, language=language).get("/broken")
    assert answer.status_code == 500
    assert WORDS[language] in answer.text
    assert "secret" not in answer.text


@pytest.mark.parametrize("language", WORDS)
def test_each_problem_has_a_page_in_each_language(portal: Portal, language: str) -> None:
    client = portal.visit(language=language)
    large = client.post("/language", data={"language": "x" * FORM_BYTES})
    missing = client.get("/no-such-page")
    gone = client.get("/sign-in/link/used")
    while not take(portal.workspace, SIGN_IN, "testclient"):
        pass
    often = client.post("/sign-in", data={"person": "a", "password": "b"})
    answers = (large, missing, gone, often)
    assert [answer.status_code for answer in answers] == [413, 404, 410, 429]
    assert all(f'<html lang="{language}">' in answer.text for answer in answers)
    assert len({answer.text.partition("<h1>")[2].partition("</h1>")[0] for answer in answers}) == 4


def test_htmx_gets_only_the_text(portal: Portal) -> None:
    answer = portal.visit(ADA).get("/labs/no-such-lab", headers={"HX-Request": "true"})
    assert answer.status_code == 404
    assert "<html" not in answer.text
    assert 'role="alert"' in answer.text
