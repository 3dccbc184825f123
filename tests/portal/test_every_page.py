"""Every page that anybody can reach, in chromium: readable by everybody, and no wider than the window."""

from collections.abc import Callable, Mapping

import pytest
from playwright.sync_api import Page

from tests.portal.axe import violations
from tools.portal_browser import DARK, LIGHT, PHONE, PROJECTOR, Look
from tools.portal_course import ADA, INES, OLGA, TIM
from tools.portal_pictures import paths
from tools.portal_server import Site

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]

VISITORS = ("", ADA, INES)
"""The instructor sees every page of staff."""

IN_PART = (TIM, OLGA)
"""An assistant and an observer see some of them, with fewer links and forms."""


@pytest.fixture(scope="module")
def pages(read_site: Site) -> Mapping[str, tuple[str, ...]]:
    """The addresses of the pages that each visitor reaches."""
    return {person: paths(read_site, person) for person in (*VISITORS, *IN_PART)}


@pytest.mark.parametrize(
    ("person", "look"),
    [
        *((person, look) for person in VISITORS for look in (LIGHT, DARK, PHONE)),
        (ADA, PROJECTOR),
        *zip(IN_PART, (PHONE, PROJECTOR), strict=True),
    ],
    ids=lambda value: value.name if isinstance(value, Look) else value or "nobody",
)
def test_every_page_is_accessible_and_fits(
    person: str, look: Look, read_site: Site, pages: Mapping[str, tuple[str, ...]], open_window: Opener
) -> None:
    page = open_window(read_site, person, look)
    found = []
    for path in pages[person]:
        page.goto(path)
        found += [f"{path}: {each}" for each in violations(page)]
        wide, most = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        if wide > most:
            found.append(f"{path}: {wide} pixels in a window of {most}")
    assert found == []


@pytest.mark.parametrize("person", VISITORS, ids=lambda person: person or "nobody")
def test_every_page_is_read_from_its_heading(
    person: str, read_site: Site, pages: Mapping[str, tuple[str, ...]], open_window: Opener
) -> None:
    """What a screen reader needs: a title, one first heading, landmarks, and a language."""
    page = open_window(read_site, person)
    for path in pages[person]:
        page.goto(path)
        assert (path, page.title() != "", page.locator("h1").count()) == (path, True, 1)
        assert (path, page.locator("main").count()) == (path, 1)
        assert (path, page.evaluate("document.documentElement.lang")) == (path, "en")
