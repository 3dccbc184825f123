"""The form for a token, and the page that confirms a program, in a browser and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from grader.course.accounts import device_links, tokens
from grader.policy.access import SCOPES_OF, Role
from tests.portal.api.described import Api
from tests.portal.axe import violations
from tests.portal.client import Portal
from tools.portal_browser import LOOKS, Look
from tools.portal_course import ADA
from tools.portal_server import Site

Opener = Callable[..., Page]


def test_a_token_has_the_ticked_scopes(portal: Portal) -> None:
    made = portal.visit(ADA).post("/me/tokens", data={"label": "ci", "scope": ["read:own"], "days": "7"})
    secret = "gr_" + made.text.partition("gr_")[2].partition("<")[0]
    assert Api(portal.visit(), secret)("GET", "/me").json()["scopes"] == ["read:own"]


@pytest.mark.parametrize(
    "form",
    [
        {"label": "x", "days": "7"},
        {"label": "x", "days": "7", "scope": "grade"},
        {"label": "x", "days": "400", "scope": "submit"},
        {"label": "", "days": "7", "scope": "submit"},
    ],
)
def test_a_form_that_asks_too_much_makes_no_token(portal: Portal, form: dict[str, str]) -> None:
    assert portal.visit(ADA).post("/me/tokens", data=form).status_code == 400
    assert tokens.listed(portal.workspace, ADA) == ()


@pytest.mark.browser
def test_a_code_is_confirmed_by_keyboard_alone(site: Site, open_window: Opener) -> None:
    started = device_links.start(site.workspace, "laptop")
    page = open_window(site, ADA)
    page.goto("/device")
    page.get_by_label("Code").focus()
    page.keyboard.type(started.code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("laptop")
    page.get_by_role("button", name="Confirm").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Go back to your terminal")
    assert device_links.claim(site.workspace, started.secret).token.label == "laptop"


@pytest.mark.browser
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_the_pages_break_no_rule(look: Look, site: Site, open_window: Opener) -> None:
    tokens.issue(site.workspace, ADA, "laptop", within=SCOPES_OF[Role.STUDENT])
    started = device_links.start(site.workspace, "laptop")
    page = open_window(site, ADA, look)
    for path in ("/me", "/device"):
        page.goto(path)
        _holds(page)
    page.get_by_label("Code").fill(started.code)
    page.get_by_role("button", name="Continue").click()
    _holds(page)


def _holds(page: Page) -> None:
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
