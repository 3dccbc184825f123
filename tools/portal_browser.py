"""Debian's chromium, driven by Playwright: windows that are signed in, in light, dark and on a phone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tools.browser import CHROMIUM
from tools.portal_server import Site


@dataclass(frozen=True, kw_only=True)
class Look:
    """How a window shows pages."""

    name: str
    width: int
    height: int
    scheme: Literal["light", "dark"]

    @property
    def is_phone(self) -> bool:
        """Whether it is narrow and touched."""
        return self.width < 500


LIGHT = Look(name="light", width=1280, height=800, scheme="light")
DARK = Look(name="dark", width=1280, height=800, scheme="dark")
PROJECTOR = Look(name="projector", width=1920, height=1080, scheme="light")
PHONE = Look(name="phone", width=390, height=844, scheme="light")
PHONE_DARK = Look(name="phone-dark", width=390, height=844, scheme="dark")
LOOKS = (LIGHT, DARK, PHONE, PHONE_DARK)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Context manager: the browser. Raises: ``OSError`` where it is not installed."""
    if CHROMIUM is None:
        msg = "chromium is not installed"
        raise OSError(msg)
    with sync_playwright() as playwright:
        # The sandbox of chromium does not start as root.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def window(browser: Browser, site: Site, person: str = "", look: Look = LIGHT, language: str = "en") -> Page:
    """A new window on ``site``, signed in as ``person``. Close its ``context`` after use."""
    context: BrowserContext = browser.new_context(
        base_url=site.url,
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.scheme,
        has_touch=look.is_phone,
        locale=language,
        reduced_motion="reduce",
    )
    context.set_default_timeout(15_000)
    if person:
        context.add_cookies([{"name": "grader-session", "value": site.session(person), "url": site.url}])
    return context.new_page()
