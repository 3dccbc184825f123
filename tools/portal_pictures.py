"""Write pictures of every page: ``python -m tools.portal_pictures FOLDER [--course FOLDER] [--only TEXT]``.

The course is that of ``tools.portal_course``; ``--course`` keeps it in a folder, so that the next run need not grade it
again. Every page that a student, an assistant, the instructor and nobody can reach is shown in light, dark and on a
phone.
"""

import argparse
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser
from starlette.testclient import TestClient

from tools import portal_course
from tools.portal_browser import LOOKS, chromium, window
from tools.portal_course import ADA, INES, TIM
from tools.portal_crawl import crawl
from tools.portal_server import Site, serving

VISITORS = {"nobody": "", "student": ADA, "assistant": TIM, "instructor": INES}


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--course", type=Path, default=None)
    parser.add_argument("--only", default="")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        course = options.course or Path(scratch)
        if not (course / "grader.toml").exists():
            course.mkdir(parents=True, exist_ok=True)
            portal_course.prepare(course)
        with serving(course) as site, chromium() as browser:
            for role, person in VISITORS.items():
                for path in paths(site, person):
                    if options.only in path:
                        take(browser, site, person, path, options.folder / f"{role}{slug(path)}")


def paths(site: Site, person: str) -> tuple[str, ...]:
    """The pages that ``person`` can reach, one of each kind."""
    client = TestClient(site.app, base_url=site.url, follow_redirects=False)
    if person:
        client.cookies.set("grader-session", site.session(person))
    found = crawl(site.app, client, of_each=2)
    return tuple(each.path for each in found if each.status == 200 and each.type.startswith("text/html"))


def take(browser: Browser, site: Site, person: str, path: str, file: Path) -> None:
    """Write a picture of the page at ``path`` in each look."""
    for look in LOOKS:
        page = window(browser, site, person, look)
        page.goto(path)
        page.screenshot(path=f"{file}-{look.name}.png", full_page=True)
        page.context.close()


def slug(path: str) -> str:
    """``path`` as a part of a file's name."""
    return "-" + re.sub(r"[^\w]+", "-", path).strip("-") if path.strip("/") else "-start"


if __name__ == "__main__":
    main()
