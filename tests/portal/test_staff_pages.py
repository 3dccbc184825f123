"""Pages of staff: who sees them, and what the class looks like."""

import re
from dataclasses import replace

import pytest

from grader.course.class_matrix import ClassMatrix, LabColumn
from grader.course.matrix_cells import Cell, Mark, Word
from grader.course.matrix_rows import MatrixRow
from grader.portal.pages import class_matrix
from grader.store.people import Person
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, DAN, INES, OLGA, TIM

READ = (
    "/class",
    f"/class/{ADA}",
    f"/class/{ADA}/matmul",
    f"/class/{ADA}/matmul?as=student",
    f"/class/{ADA}/matmul?attempt=1",
    f"/class/{DAN}/reduction",
    "/looks",
    "/regrades",
    "/manage",
    "/roster",
    "/audit",
    "/statistics/matmul",
)
MANAGE = ("/manage/rules", "/manage/points/matmul", "/machines")
EXPORT = ("/exports", "/imports", "/exports/grades.csv", "/exports/results.xml")


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_staff_see_every_page_in_their_language(read_portal: Portal, language: str) -> None:
    client = read_portal.visit(INES)
    client.cookies.set("grader-language", language)
    for path in (*READ, *MANAGE, *EXPORT):
        answer = client.get(path)
        assert answer.status_code == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            assert f'<html lang="{language}">' in answer.text, path


@pytest.mark.parametrize(
    ("person", "seen"),
    [(ADA, ()), (OLGA, READ), (TIM, (*READ, *EXPORT)), (INES, (*READ, *MANAGE, *EXPORT))],
)
def test_others_see_no_page_that_is_not_for_them(
    read_portal: Portal, person: str, seen: tuple[str, ...]
) -> None:
    client = read_portal.visit(person)
    for path in (*READ, *MANAGE, *EXPORT):
        assert client.get(path).status_code == (200 if path in seen else 404), path


def test_the_matrix_shows_students_and_no_staff(read_portal: Portal) -> None:
    text = read_portal.visit(TIM).get("/class").text
    assert "Bob Quux-Zimmermann" in text
    assert "Dan &lt;i&gt;Qwertz&lt;/i&gt;" in text
    table = text[text.index("<table") :]
    assert "Ines Lehrer" not in table
    assert "Tim Assist" not in table


def test_filters_are_links_and_a_form(read_portal: Portal) -> None:
    client = read_portal.visit(TIM)
    names = re.compile(r'<th scope="row"><a href="class/([^"/]+)"')
    assert set(names.findall(client.get("/class?word=wrong").text)) == {ADA, BOB}
    assert names.findall(client.get("/class?q=quux&word=wrong&section=").text) == [BOB]
    assert names.findall(client.get("/class?word=wrong&lab=row-sum").text) == [BOB]
    assert len(names.findall(client.get("/class?word=no-such-word&sort=no-such-lab").text)) == 4


def test_an_unchanged_matrix_is_not_sent_again(portal: Portal) -> None:
    client = portal.visit(TIM)
    tag = client.get("/class").headers["etag"]
    again = client.get("/class", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/class?word=wrong", headers={"If-None-Match": tag}).status_code == 200
    form = {"points": "50", "because": "seen in class"}
    assert client.post(f"/class/{ADA}/matmul/override", data=form).status_code == 303
    assert client.get("/class", headers={"If-None-Match": tag}).status_code == 200


def test_a_class_of_300_and_18_labs_is_a_small_page(
    read_portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    labs = [f"reduction-{number}" for number in range(18)]
    kinds = (
        Cell(lab="", points=87.5),
        Cell(lab="", points=100),
        Cell(lab="", points=24, word=Word.WRONG, marks=(Mark.LATE,)),
        Cell(lab="", points=90),
        Cell(lab="", points=None, word=Word.MISSING),
    )
    rows = tuple(
        MatrixRow(
            person=Person(id=f"student-{row:03}", name=f"Anna-Maria Grünwald {row}", section="A"),
            cells=tuple(replace(kinds[(row + place) % 5], lab=lab) for place, lab in enumerate(labs)),
            points=1234.5,
            percent=68.6,
        )
        for row in range(300)
    )
    found = ClassMatrix(
        title="",
        labs=tuple(LabColumn(name=lab, max_points=100, due=None, median=87.5) for lab in labs),
        rows=rows,
        sections=("A",),
        students=300,
        looks=0,
        words=dict.fromkeys(Word, 60),
        marks=dict.fromkeys(Mark, 60),
    )
    monkeypatch.setattr(class_matrix, "class_matrix", lambda *_: found)
    answer = read_portal.visit(TIM).get("/class")
    assert answer.text.count("<tr>") == 301
    assert len(answer.content) < 350_000


def test_a_student_sees_no_hidden_case_in_the_view_for_them(read_portal: Portal) -> None:
    client = read_portal.visit(TIM)
    as_staff = client.get(f"/class/{BOB}/row-sum").text
    as_student = client.get(f"/class/{BOB}/row-sum?as=student").text
    assert "/override" in as_staff
    assert "/override" not in as_student
    assert "<h2>Decisions" not in as_student


def test_unknown_students_labs_and_attempts_are_not_found(read_portal: Portal) -> None:
    client = read_portal.visit(TIM)
    for path in ("/class/nobody", f"/class/{ADA}/nothing", f"/class/{ADA}/matmul?attempt=99", "/regrades/7"):
        assert client.get(path).status_code == 404, path
