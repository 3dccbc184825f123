"""Students in a real browser: from the first sign-in to a right attempt, through mistakes, deadlines and restarts."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from grader.course.accounts import links
from grader.course.extensions import extend
from grader.course.staff import Staff
from grader.store.people import Person
from tests.course.graded import grade_queue
from tests.course.race_course import BROKEN, FIXED, RACE, race_course
from tests.course.small_course import write_rules
from tests.portal.axe import violations
from tools.portal_browser import LIGHT, PHONE_DARK, Look, window
from tools.portal_course import ADA
from tools.portal_server import Site, serving

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]
LENA = "lena"


def start(folder: Path, rules: str = "") -> None:
    """A course of one lab in ``folder``, with one student."""
    race_course(folder, f"sqlite:///{folder}/store.sqlite")
    write_rules(rules)


@pytest.fixture
def race_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.chdir(tmp_path)
    start(tmp_path, 'attempts = "10"')
    with serving(tmp_path) as found:
        enrol(found)
        yield found


def enrol(site: Site) -> None:
    store = site.workspace.store
    assert store is not None
    store.people.put_all([Person(id=LENA, name="Lena Hoffmann")])


def upload(page: Page, text: str) -> None:
    """Submit ``text`` as a file on the page of the lab; the page of the attempt opens."""
    file: FilePayload = {"name": "scale.cu", "mimeType": "text/plain", "buffer": text.encode()}
    page.get_by_label("Files").set_input_files(files=[file])
    page.get_by_role("button", name="Submit attempt").click()
    expect(page.locator(".live")).to_contain_text("Next in the queue")


def graded(site: Site) -> None:
    """Grade what waits while the browser looks on."""
    thread = Thread(target=grade_queue, args=(site.workspace,))
    thread.start()
    thread.join(120)


def test_the_first_sign_in_leads_to_a_right_attempt(race_site: Site, open_window: Opener) -> None:
    page = open_window(race_site)
    page.goto(links.invite(race_site.workspace, LENA).url(race_site.url))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My labs")
    page.get_by_role("link", name="Scale").click()
    upload(page, FIXED)
    graded(race_site)
    # The page changes by itself.
    expect(page.locator(".head .chip")).to_have_text("accepted")
    expect(page.get_by_role("heading", level=1)).to_have_text("All points")
    expect(page.locator(".head .score")).to_contain_text("100")


def test_a_race_is_found_and_fixed_in_three_attempts(race_site: Site, open_window: Opener) -> None:
    page = open_window(race_site, LENA)
    page.goto("/labs/scale")
    upload(page, BROKEN)
    graded(race_site)
    expect(page.locator("#cause")).to_contain_text("expected")
    expect(page.locator("tr.hit th")).to_have_text(["2"])
    page.get_by_role("link", name="Submit attempt 2").click()
    upload(page, RACE)
    graded(race_site)
    expect(page.locator("#cause")).to_contain_text("race")
    expect(page.locator("tr.hit th")).to_have_text(["5", "6"])
    expect(page.locator("tr.add ins")).to_have_text("    __syncthreads();")
    expect(page.locator("svg.heat")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("link", name="Submit attempt 3").click()
    upload(page, FIXED)
    graded(race_site)
    expect(page.locator(".head .chip")).to_have_text("accepted")
    rows = page.locator("table.attempts tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("gone: shared-memory race")
    expect(rows.locator(".chip")).to_have_text(["accepted", "wrong", "failed to build"])


def test_an_extension_reopens_a_lab_after_its_deadline(race_site: Site, open_window: Opener) -> None:
    write_rules('due = "2020-06-18"')
    page = open_window(race_site, LENA)
    page.goto("/labs/scale")
    expect(page.locator(".head")).to_contain_text("Closed since")
    expect(page.get_by_label("Files")).to_have_count(0)
    extend(race_site.workspace, LENA, "scale", Staff(because="ill", by="tina"), until="2150-06-18")
    page.reload()
    expect(page.locator(".head")).to_contain_text("extension")
    upload(page, RACE)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Withdrawn")


def test_a_restart_of_the_server_resumes_a_live_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium_browser: Browser
) -> None:
    monkeypatch.chdir(tmp_path)
    start(tmp_path)
    with ExitStack() as undo:
        with serving(tmp_path) as before:
            enrol(before)
            page = window(chromium_browser, before, LENA)
            undo.callback(page.context.close)
            page.goto("/labs/scale")
            upload(page, FIXED)
            port = int(before.url.rpartition(":")[2])
        with serving(tmp_path, port) as after:
            graded(after)
            expect(page.locator(".head .chip")).to_have_text("accepted", timeout=20_000)


def test_the_pages_work_without_scripts(race_site: Site, chromium_browser: Browser) -> None:
    context = chromium_browser.new_context(base_url=race_site.url, java_script_enabled=False)
    context.add_cookies([{"name": "grader-session", "value": race_site.session(LENA), "url": race_site.url}])
    page = context.new_page()
    page.goto("/labs/scale")
    page.get_by_text("Paste the source code instead").click()
    page.get_by_label("Source code").fill(FIXED)
    page.get_by_role("button", name="Submit attempt").click()
    expect(page.locator(".live")).to_contain_text("Next in the queue")
    graded(race_site)
    page.get_by_role("link", name="Look again").click()
    expect(page.locator(".head .chip")).to_have_text("accepted")
    context.close()


@pytest.mark.parametrize("look", [LIGHT, PHONE_DARK], ids=lambda look: look.name)
def test_the_pages_of_students_break_no_rule(look: Look, read_site: Site, open_window: Opener) -> None:
    store = read_site.workspace.store
    assert store is not None
    newest = store.attempts.recorded(ADA, "matmul")[-1].id
    page = open_window(read_site, ADA, look)
    for path in ("/labs", "/labs/matmul", "/labs/reduction", f"/attempts/{newest}"):
        page.goto(path)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
