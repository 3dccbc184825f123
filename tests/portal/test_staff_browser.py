"""Staff in a real browser: no page breaks a rule of accessibility, and an evening from matrix to worksheet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from grader.course.records import Records
from grader.course.requests import ask
from grader.store.people import IdSystem, Person, PersonId
from tests.portal.axe import violations
from tools.portal_browser import LIGHT, PHONE_DARK, Look
from tools.portal_course import ADA, BOB, INES, TIM
from tools.portal_server import Site

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]

PAGES = (
    "/class",
    f"/class/{ADA}",
    f"/class/{ADA}/matmul",
    "/looks",
    "/regrades",
    "/manage",
    "/manage/rules",
    "/manage/points/matmul",
    "/exports",
    "/imports",
    "/roster",
    "/audit",
    "/machines",
    "/statistics/matmul",
)
WORKSHEET = (
    'Identifier,"Full name",Grade,"Maximum grade","Last modified (grade)","Feedback comments"\r\n'
    'Participant 7,"Ада Лавлейс",,"100.00","-",""\r\n'
    'Participant 8,"Bob Quux-Zimmermann",,"100.00","-",""\r\n'
)


@pytest.mark.parametrize("look", [LIGHT, PHONE_DARK], ids=lambda look: look.name)
def test_pages_of_staff_break_no_rule(read_site: Site, open_window: Opener, look: Look) -> None:
    page = open_window(read_site, INES, look)
    for path in PAGES:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path


def test_an_evening_from_the_matrix_to_a_worksheet(site: Site, open_window: Opener, tmp_path: Path) -> None:
    with Records(site.workspace) as records:
        names = {each.id: each.name for each in records.store.people.list()}
        records.store.people.put_all(
            [
                Person(id=student, name=names[student], ids=(PersonId(system=IdSystem.MOODLE, value=number),))
                for student, number in ((ADA, "7"), (BOB, "8"))
            ]
        )
    ask(site.workspace, ADA, "matmul", "Is this really a race?")
    page = open_window(site, TIM)

    # The matrix shows who is wrong; a search and a word narrow it.
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Class")
    page.get_by_role("link", name="wrong 2").click()
    expect(page.locator(".matrix tbody tr")).to_have_count(2)
    page.get_by_label("Find a student").fill("лавлейс")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".matrix tbody tr")).to_have_count(1)
    page.locator(".matrix td a").first.click()

    # The question is answered, and an override counts.
    page.get_by_label("Answer, for the student").fill("Yes: see line 11.")
    page.get_by_role("button", name="Send the answer").click()
    page.get_by_text("Override", exact=True).click()
    override = page.locator("form[action$='/override']")
    override.get_by_label("Reason, for staff").fill("explained it in class")
    override.get_by_label("Points, 0 to 100").fill("40")
    override.get_by_role("button", name="Store").click()
    expect(page.locator(".score")).to_contain_text("40 / 100")

    # A regrade of the lab runs beside what counts, and changes nothing.
    page.goto("/regrades")
    page.get_by_label("matmul", exact=True).check()
    page.get_by_label("Reason, for staff").fill("look again")
    page.get_by_role("button", name="Make the set").click()
    page.get_by_role("button", name="Run what waits").click()
    for _ in range(120):
        if not page.get_by_role("button", name="Run what waits").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator("main")).to_contain_text("unchanged")

    # The worksheet of Moodle gets grades and feedback; nothing else differs.
    page.goto("/exports")
    form = page.locator("form[action='/exports/gradebook']")
    form.get_by_label("Lab").select_option("matmul")
    file: FilePayload = {"name": "worksheet.csv", "mimeType": "text/csv", "buffer": WORKSHEET.encode()}
    form.get_by_label("File", exact=True).set_input_files(files=[file])
    form.get_by_role("button", name="Look at it first").click()
    expect(page.get_by_role("status").get_by_role("heading")).to_contain_text("2 grades are new")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Download worksheet-graded.csv").click()
    target = tmp_path / "saved.csv"
    saved.value.save_as(target)
    before, after = WORKSHEET.split("\r\n"), target.read_bytes().decode().split("\r\n")
    assert after[0] == before[0]
    assert after[1].startswith('Participant 7,"Ада Лавлейс",40,"100.00","-","')
    assert after[2].startswith('Participant 8,"Bob Quux-Zimmermann",100,"100.00","-","')
