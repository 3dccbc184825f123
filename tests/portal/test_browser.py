"""The portal in a browser: sign in and out by keyboard and mouse, with and without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from grader.course.accounts import links
from tests.portal.axe import violations
from tools.portal_browser import LOOKS, Look
from tools.portal_course import ADA
from tools.portal_server import Site

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]


def test_a_link_signs_in_by_keyboard_alone(site: Site, open_window: Opener) -> None:
    link = links.invite(site.workspace, ADA)
    page = open_window(site)
    page.goto(link.url(site.url))
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("href", "#main")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".who bdi")).to_have_text("Ада Лавлейс")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(f"{site.url}/sign-in")


def test_a_page_loads_its_script_under_the_policy(read_site: Site, open_window: Opener) -> None:
    page = open_window(read_site, ADA)
    page.goto("/sign-in")
    page.wait_for_function("window.htmx !== undefined")
    assert page.evaluate("document.querySelector('script[nonce]').nonce").strip()


def test_the_language_changes_in_place(site: Site, open_window: Opener) -> None:
    page = open_window(site)
    page.goto("/sign-in")
    page.get_by_role("button", name="Русский").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page).to_have_url(f"{site.url}/sign-in")


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("path", ["/sign-in", "/no-such-page"])
def test_the_pages_for_anybody_break_no_rule(
    path: str, look: Look, read_site: Site, open_window: Opener
) -> None:
    page = open_window(read_site, "", look)
    page.route("**/no-such-page", lambda route: route.fulfill(response=route.fetch(), status=200))
    page.goto(path)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
