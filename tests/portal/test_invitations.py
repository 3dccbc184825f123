"""Staff make links, and no person gains a scope by one."""

import re

import pytest

from grader.store.values import EventKind
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, INES, OLGA, PEOPLE, TIM

LINK = re.compile(r'value="http://127.0.0.1:8000(/sign-in/link/[\w-]+)"')


def test_an_assistant_makes_a_link_that_signs_a_student_in(portal: Portal) -> None:
    answer = portal.visit(TIM).post("/invitations", data={"person": ADA})
    (link,) = LINK.findall(answer.text)
    client = portal.visit()
    assert client.post(link).status_code == 303
    assert PEOPLE[ADA].name in client.get("/me/password").text
    store = portal.workspace.store
    assert store is not None
    invited = [event for event in store.events.list(student=ADA) if event.kind is EventKind.INVITED]
    assert [event.who for event in invited] == [TIM]


@pytest.mark.parametrize(
    ("by", "whom", "status"),
    [
        (TIM, TIM, 404),
        (TIM, INES, 404),
        (TIM, OLGA, 404),
        (INES, TIM, 200),
        (INES, INES, 200),
        (TIM, "x", 404),
    ],
)
def test_only_an_instructor_makes_links_for_staff(portal: Portal, by: str, whom: str, status: int) -> None:
    assert portal.visit(by).post("/invitations", data={"person": whom}).status_code == status


def test_a_list_has_whom_the_visitor_may_invite(read_portal: Portal) -> None:
    shown = read_portal.visit(TIM).get("/invitations").text
    assert ADA in shown
    assert INES not in shown
    assert INES in read_portal.visit(INES).get("/invitations").text
    found = read_portal.visit(TIM).get("/invitations", params={"q": "quux"}).text
    assert BOB in found
    assert ADA not in found


@pytest.mark.parametrize("person", [ADA, OLGA])
def test_others_make_no_links(read_portal: Portal, person: str) -> None:
    assert read_portal.visit(person).get("/invitations").status_code == 404
    assert read_portal.visit(person).post("/invitations", data={"person": BOB}).status_code == 404
