"""Pages by keyboard, in a screen reader, and on paper."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tools.portal_browser import PHONE
from tools.portal_course import ADA, INES, TIM
from tools.portal_server import Site

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]

WORK = f"/class/{ADA}/matmul"
SOURCE = (
    "__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) { c[0] = 1; }\n"
)

_STOPS = """() => [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'
)].filter(each => each.checkVisibility()).length"""

_FOCUSED = """() => {
    const here = document.activeElement, box = here.getBoundingClientRect(), style = getComputedStyle(here);
    here.seen = (here.seen ?? 0) + 1;
    return {
        name: here.outerHTML.slice(0, 80),
        // The parts of a date are stops of their own.
        again: here.seen > 1 && here.type !== 'datetime-local',
        place: [...document.querySelectorAll('*')].indexOf(here),
        shown: box.bottom > 0 && box.top < innerHeight && box.width > 0,
        outlined: (here.seen > 1 && here.type === 'datetime-local')
            || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2),
    };
}"""


def newest_attempt(page: Page) -> None:
    """Open Ada's newest attempt, which has a race."""
    page.goto("/labs/matmul")
    page.get_by_role("link", name="Attempt 2").click()
    expect(page.locator("#cause")).to_be_visible()


@pytest.mark.parametrize(
    ("person", "path"),
    [
        (ADA, "/labs/matmul"),
        (ADA, "/me"),
        (TIM, WORK),
        (TIM, "/class"),
        (INES, "/manage"),
        (INES, "/exports"),
    ],
)
def test_tab_reaches_all_in_order_with_a_visible_mark(
    person: str, path: str, read_site: Site, open_window: Opener
) -> None:
    page = open_window(read_site, person)
    page.goto(path)
    places = []
    for _ in range(page.evaluate(_STOPS)):
        page.keyboard.press("Tab")
        found = page.evaluate(_FOCUSED)
        assert (found["name"], found["again"], found["shown"], found["outlined"]) == (
            found["name"],
            False,
            True,
            True,
        )
        places.append(found["place"])
    assert places == sorted(places)
    assert len(places) > 8


def test_a_comment_is_written_by_keyboard_alone(site: Site, open_window: Opener) -> None:
    page = open_window(site, TIM)
    page.goto(WORK)
    page.get_by_label("Comment at line 11").press("Enter")
    expect(page.get_by_label("Line", exact=True)).to_have_value("11")
    page.get_by_label("Line", exact=True).press("Tab")
    page.keyboard.type("Draw two iterations.")
    page.keyboard.press("Enter")
    page.keyboard.type("Who reads first?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".says").filter(has_text="Draw two iterations.")).to_have_count(1)
    student = open_window(site, ADA, PHONE)
    newest_attempt(student)
    expect(student.locator(".remarks .says")).to_have_text(["Draw two iterations.", "Who reads first?"])


def test_a_screen_reader_hears_the_cause_before_the_rest(read_site: Site, open_window: Opener) -> None:
    page = open_window(read_site, ADA)
    newest_attempt(page)
    heard = page.locator("main").aria_snapshot()
    parts = (
        'heading "One mistake away',
        "The one thing to fix",
        'heading "race on shared array',
        "__syncthreads() after line 11",
        "the other access of the race",
        "one access of the race",
        "to add",
        'img "wrong elements of c',
        'link "Submit attempt 3"',
        'heading "What it earned"',
        'heading "Your attempts"',
        'heading "Question about the grade"',
    )
    places = [heard.casefold().find(part.casefold()) for part in parts]
    assert dict(zip(parts, places, strict=True)) == dict(zip(parts, sorted(places), strict=True))
    assert places[0] >= 0


def test_a_printed_page_has_the_work_and_no_controls(read_site: Site, open_window: Opener) -> None:
    page = open_window(read_site, ADA)
    newest_attempt(page)
    page.emulate_media(media="print", color_scheme="dark")
    for gone in (".bar .pages", ".foot", ".button", "textarea"):
        assert page.locator(gone).filter(visible=True).count() == 0, gone
    for kept in ("#cause", "tr.add", "svg.heat", "table.rubric", "table.attempts"):
        assert page.locator(kept).is_visible(), kept
    ink, paper = page.evaluate(
        "[getComputedStyle(document.querySelector('h1')).color, getComputedStyle(document.body).backgroundColor]"
    )
    assert (ink, paper) == ("rgb(28, 33, 40)", "rgb(255, 255, 255)")


def test_an_archive_is_dropped_on_the_field_of_files(site: Site, open_window: Opener, tmp_path: Path) -> None:
    archive = tmp_path / "work.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("work/matmul.cu", SOURCE)
    page = open_window(site, ADA)
    page.goto("/labs/matmul")
    box = page.get_by_label("Files").bounding_box()
    assert box is not None
    debugger = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    for kind in ("dragEnter", "dragOver", "drop"):
        data = {"items": [], "files": [str(archive)], "dragOperationsMask": 1}
        debugger.send("Input.dispatchDragEvent", {"type": kind, "data": data, **at})
    page.get_by_role("button", name="Submit attempt 3").click()
    expect(page.locator(".live")).to_contain_text("Next in the queue")
    expect(page.locator(".head")).to_contain_text("matmul.cu")
