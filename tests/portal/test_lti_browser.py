"""A course system and the portal in a browser, on two sites: launches in a window and in a frame, links and grades."""

from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from grader.course.accounts import sessions
from grader.course.lti.addresses import launch_url
from grader.course.lti.client import lti_client
from grader.course.lti.pushing import push
from tests.portal.axe import violations
from tests.portal.lti import INSTRUCTOR, STUDENT, introduce
from tools.course_system import CourseSystem, running
from tools.portal_browser import LOOKS
from tools.portal_course import ADA, INES
from tools.portal_server import Site

pytestmark = pytest.mark.browser

Opener = Callable[..., Page]

LAB = "matmul"


@pytest.fixture
def system(site: Site) -> Iterator[CourseSystem]:
    with running() as system:
        introduce(system, site.workspace)
        yield system


def course_page(system: CourseSystem, site: Site, subject: str, **more: str) -> str:
    """A page of the course, as ``subject`` sees it."""
    return f"{system.issuer}/course?{urlencode({'tool': site.url, 'as': subject, **more})}"


def test_a_course_gets_a_lab_its_students_and_their_grades(
    site: Site, system: CourseSystem, open_window: Opener
) -> None:
    page = open_window(site)
    page.goto(course_page(system, site, INSTRUCTOR, kind="place"))
    page.get_by_role("button", name="Open Grader").click()
    expect(page.get_by_role("button", name=f"Place {LAB}")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name=f"Place {LAB}").click()
    expect(page).to_have_title("Placed")

    page.goto(course_page(system, site, STUDENT, lab=LAB, frame="1"))
    with page.expect_popup() as popup:
        page.frame_locator("iframe").get_by_role("button", name="Open Grader").click()
    window = popup.value
    window.wait_for_url(f"{site.url}/labs/{LAB}")
    (cookie,) = [each for each in window.context.cookies(site.url) if each["name"] == "grader-session"]
    signed_in = sessions.find(site.workspace, cookie["value"])
    assert signed_in is not None
    assert signed_in.member.person == ADA

    assert push(site.workspace, lti_client(), launch_url(site.workspace)).sent == 1
    assert system.content.shown(system.column(LAB), STUDENT) is not None


def test_a_refusal_can_be_read_in_a_frame(site: Site, system: CourseSystem, open_window: Opener) -> None:
    page = open_window(site)
    page.route("**/lti/launch", lambda route: route.fulfill(response=route.fetch(), status=200))
    page.goto(course_page(system, site, STUDENT, lab=LAB, frame="1"))
    expect(page.frame_locator("iframe").get_by_role("main")).to_contain_text("GPU programming")


def test_the_pages_for_staff_break_no_rule(site: Site, system: CourseSystem, open_window: Opener) -> None:
    setup = open_window(site)
    setup.goto(course_page(system, site, INSTRUCTOR, kind="place"))
    setup.get_by_role("button", name="Open Grader").click()
    setup.get_by_role("button", name=f"Place {LAB}").click()
    expect(setup).to_have_title("Placed")
    for look in LOOKS:
        page = open_window(site, INES, look)
        page.goto("/course-system")
        page.get_by_role("button", name="Send grades now").click()
        expect(page.get_by_role("heading", name="Grades on their way")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.get_by_role("button", name="Show what the course system's roster changes").click()
        expect(page.get_by_role("button", name="Import the roster")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
