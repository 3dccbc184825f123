"""The portal of a small course; see ``tests.portal.client.Portal`` and ``tools.portal_course``."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from grader.config import load
from grader.course.workspace import Workspace
from grader.portal.app import create_app
from tests.portal.client import Portal
from tools import portal_course
from tools.browser import CHROMIUM
from tools.portal_browser import LIGHT, Look, chromium, window
from tools.portal_server import Site, serving
from tools.shared_results import shared


@pytest.fixture(scope="session")
def packed_course(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The small course, graded once for all tests of a run."""

    def made() -> bytes:
        folder = tmp_path_factory.mktemp("course")
        portal_course.prepare(folder)
        return portal_course.packed(folder)

    return shared(b"the course of the portal", made)


def _portal(packed: bytes, folder: Path) -> Iterator[Portal]:
    portal_course.unpack(packed, folder)
    app = create_app(Workspace(config=load(folder)))
    yield Portal(app=app, folder=folder)
    app.state.server.workspace.close()


@pytest.fixture
def portal(packed_course: bytes, tmp_path: Path) -> Iterator[Portal]:
    """A portal of the test's own, which it may change."""
    yield from _portal(packed_course, tmp_path)


@pytest.fixture(scope="module")
def read_portal(packed_course: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """A portal that the tests of a module share, and only read."""
    yield from _portal(packed_course, tmp_path_factory.mktemp("portal"))


@pytest.fixture(scope="session")
def chromium_browser() -> Iterator[Browser]:
    """One browser for the tests of a process."""
    if CHROMIUM is None and not os.environ.get("GRADER_TEST_CHROMIUM"):
        pytest.skip("no chromium is installed")
    with chromium() as browser:
        yield browser


@pytest.fixture
def site(packed_course: bytes, tmp_path: Path) -> Iterator[Site]:
    """The portal of the test's own course at an address, for browsers."""
    portal_course.unpack(packed_course, tmp_path)
    with serving(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def read_site(packed_course: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A portal at an address that the tests of a module share, and only read."""
    folder = tmp_path_factory.mktemp("site")
    portal_course.unpack(packed_course, folder)
    with serving(folder) as found:
        yield found


@pytest.fixture
def open_window(chromium_browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens windows as ``tools.portal_browser.window`` does, and closes them after the test.

    Use: ``open_window(site, ADA, PHONE)``. A message of the console, such as one about the policy, fails the test.
    """
    contexts: list[BrowserContext] = []
    messages: list[str] = []

    def opened(site: Site, person: str = "", look: Look = LIGHT, language: str = "en") -> Page:
        page = window(chromium_browser, site, person, look, language)
        contexts.append(page.context)
        page.on("console", lambda message: messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: messages.append(str(error)))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert messages == []
