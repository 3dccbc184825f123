"""What staff say reaches the student, and staff see an attempt as they do or as the student does."""

import re

import pytest

from grader.course.requests import ask
from grader.model.report import Visibility
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, DAN, OLGA, TIM

WORK = f"/class/{ADA}/matmul"
COMMENT = {"file": f"{ADA}.cu", "line": "11", "text": "Draw two iterations."}


def remarks(text: str) -> str:
    """The part of a page with what staff say."""
    found = re.search(r'<h2 id="remarks">.*?(?=<h2>)', text, re.DOTALL)
    return "" if found is None else found[0]


def newest(portal: Portal) -> str:
    """The address of Ada's newest attempt, as she finds it."""
    (first, *_) = re.findall(r'href="(/attempts/\d+)"', portal.visit(ADA).get("/labs/matmul").text)
    return str(first)


def test_a_comment_and_an_answer_reach_the_student(portal: Portal) -> None:
    staff, student, own = portal.visit(TIM), portal.visit(ADA), newest(portal)
    assert remarks(student.get(own).text) == ""
    ask(portal.workspace, ADA, "matmul", "Why only 12 points?")
    assert staff.post(f"{WORK}/comment", data=COMMENT).status_code == 303
    answer = {"outcome": "declined", "because": "The race is real."}
    assert staff.post(f"{WORK}/answer", data=answer).status_code == 303
    said = remarks(student.get(own).text)
    assert "The race is real." in said
    assert re.findall(r'class="hit[^>]*><th scope="row">(\d+)', said) == ["11"]
    assert "Draw two iterations." in said
    assert "Draw two iterations." not in remarks(student.get(own.replace(own[-1], "1")).text)


def test_a_preview_is_the_page_of_the_student(read_portal: Portal) -> None:
    """Word by word, without what only the student may do."""
    own = read_portal.visit(ADA).get(newest(read_portal)).text
    for person in (TIM, OLGA):
        seen = read_portal.visit(person).get(f"{WORK}?as=student").text
        cause = r'<section class="card cause.*?<div class="actions">'
        assert re.findall(cause, seen, re.DOTALL) == re.findall(cause, own, re.DOTALL) != []
        assert re.findall(r'<form method="post" action="([^"]*)"', seen) == ["/sign-out", "/language"]
        assert "/attempts/" not in seen


@pytest.mark.parametrize("as_student", [False, True])
def test_staff_read_whole_reports(read_portal: Portal, *, as_student: bool) -> None:
    client = read_portal.visit(TIM)
    text = client.get(f"{WORK}/report?attempt=2{'&as=student' * as_student}").text
    cases = read_portal.workspace.registry.get("matmul").manifest.cases
    hidden = [each.name for each in cases if each.visibility is Visibility.HIDDEN and "-" in each.name]
    assert any(name in text for name in hidden) is not as_student
    assert re.search(r"two-tiles\W+ wrong elements of c", text)
    file = client.get(f"{WORK}/file?attempt=2&name={ADA}.cu")
    assert "__global__" in file.text
    for path in ("report", f"file?name={ADA}.cu"):
        assert read_portal.visit(BOB).get(f"{WORK}/{path}").status_code == 404
    for path in ("report?attempt=3", f"file?attempt=2&name={BOB}.cu"):
        assert client.get(f"{WORK}/{path}").status_code == 404
    assert client.get(f"/class/{DAN}/matmul/report?as=student").status_code == 404


def test_a_line_number_opens_the_form_of_a_comment(read_portal: Portal) -> None:
    client = read_portal.visit(TIM)
    (link,) = set(re.findall(r'href="([^"]*line=11#comment)"', client.get(WORK).text))
    form = client.get(link.replace("&amp;", "&").partition("#")[0]).text
    assert re.search(r'id="comment" open>.*name="line" value="11"', form, re.DOTALL)
    for path, person in ((f"{WORK}?attempt=1", TIM), (WORK, OLGA)):
        assert "#comment" not in read_portal.visit(person).get(path).text


def test_forms_offer_the_labs_of_the_course(read_portal: Portal) -> None:
    client = read_portal.visit(TIM)
    for path in ("/regrades", "/exports", "/imports"):
        text = client.get(path).text
        assert (path, "matmul" in text, "vector-add" in text) == (path, True, False)
