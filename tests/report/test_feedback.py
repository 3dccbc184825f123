"""One student's feedback as a page and as text."""

import re
from dataclasses import replace

import pytest

from grader.messages import LANGUAGES
from grader.model.report import Report, ResultsDocument, Visibility
from grader.model.verdict import Verdict
from grader.report import feedback_text
from grader.report.feedback import case_groups
from grader.report.pages import feedback_page
from grader.report.redact import redact
from tests.report.examples import (
    CUDA,
    DOCUMENT,
    GOOD_ROW_SUM,
    NASTY_NAMES,
    SOURCES,
    WRONG_ROW_SUM,
    case,
    kernel,
    report,
)
from tests.report.html_page import Page

STUDENT = "student-03"
MINE = (WRONG_ROW_SUM, report(STUDENT, "matmul", kernel("matmul")))
CLASS = replace(DOCUMENT, reports=(*MINE, GOOD_ROW_SUM))


def _page(language: str = "en", document: ResultsDocument = CLASS, student: str = STUDENT) -> Page:
    return Page(feedback_page.render(student, document, SOURCES, language))


def _public(graded: Report) -> Report:
    """``graded`` as if all its cases were public."""
    kernels = tuple(
        replace(each, cases=tuple(replace(one, visibility=Visibility.PUBLIC) for one in each.cases))
        for each in graded.kernels
    )
    return replace(graded, kernels=kernels)


def test_the_title_names_the_student() -> None:
    assert _page().title == "Feedback for student-03 – Grader"


def test_a_student_sees_only_the_students_submissions() -> None:
    text = feedback_text.render(STUDENT, CLASS)
    for shown in (_page().text, text):
        assert "matmul" in shown
        assert "student-02" not in shown
        assert "row_sum_shared_padded at least" not in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_hidden_cases_stay_hidden(language: str) -> None:
    for shown in (_page(language).text, feedback_text.render(STUDENT, CLASS, language)):
        assert "hidden-huge" not in shown
        assert "17391" not in shown
        assert "1024.0" not in shown


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Findings", "wrong", "shared-memory race")),
        ("ru", ("Замечания", "неверно", "гонка в разделяемой памяти")),
        ("zh", ("发现的问题", "结果错误", "共享内存竞争")),
    ],
)
def test_labels_and_words_are_in_the_language(language: str, words: tuple[str, ...]) -> None:
    document = replace(CLASS, reports=(_public(WRONG_ROW_SUM),))
    for shown in (_page(language, document).text, feedback_text.render(STUDENT, document, language)):
        assert [word for word in words if word not in shown] == []
    assert f'<html lang="{language}">' in feedback_page.render(STUDENT, document, SOURCES, language)


def test_equal_results_of_cases_are_one_entry() -> None:
    wrong = [case(f"tall-{number}", Verdict.WRONG, "no end") for number in range(2)]
    wrong = [replace(each, reason=wrong[0].reason) for each in wrong]
    hidden = [case(f"secret-{number}", Verdict.WRONG, f"is {number}", hidden=True) for number in range(3)]
    graded = report(
        STUDENT, "matmul", kernel("matmul", Verdict.WRONG, cases=(*wrong, *hidden, case("small")))
    )
    document = replace(DOCUMENT, reports=(graded,))
    groups = case_groups(redact(graded).kernels[0].cases)
    assert [len(group.names) for group in groups] == [2, 3, 1]
    assert [group.reason is None for group in groups] == [False, True, False]
    text = feedback_text.render(STUDENT, document)
    assert "    hidden-1, hidden-2, hidden-3: wrong\n" in text
    assert text.count("no end") == 1
    assert "hidden-1, hidden-2, hidden-3" in _page(document=document).text
    assert "secret" not in text + _page(document=document).text


def test_findings_are_at_the_lines_of_the_source() -> None:
    document = replace(CLASS, reports=(_public(WRONG_ROW_SUM),))
    assert "part[threadIdx.x] += part[threadIdx.x + half];" in _page(document=document).text
    assert re.search(r"row_sum\.cu, line 25 \(row_sum_shared\)", feedback_text.render(STUDENT, document))


def test_not_gradable_is_said_to_be_no_zero() -> None:
    odd = report(STUDENT, "matmul", kernel("matmul", Verdict.NOT_GRADABLE), score=0.0)
    document = replace(CLASS, reports=(odd,))
    for shown in (_page(document=document).text, feedback_text.render(STUDENT, document)):
        assert "no zero" in shown
        assert " 0 / 100" not in shown


def test_measured_times_are_not_called_modelled() -> None:
    document = replace(DOCUMENT, engine=CUDA, reports=(report(STUDENT, "matmul", kernel("matmul")),))
    assert "modelled" not in _page(document=document).text
    assert "modelled" not in feedback_text.render(STUDENT, document)


def test_a_student_without_submissions_gets_a_sentence() -> None:
    assert "No submission is graded yet." in _page(student="nobody").text
    assert "No submission is graded yet." in feedback_text.render("nobody", CLASS)


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_hostile_names_add_no_element_and_no_line(name: str) -> None:
    document = replace(DOCUMENT, reports=(replace(GOOD_ROW_SUM, student=name, lab=name),))
    page = feedback_page.render(name, document, {}, "en")
    assert Page(page).open == []
    assert Page(page).all("script") == []
    assert "\x1b" not in page
    text = feedback_text.render(name, document)
    assert "\x1b" not in text
    ordinary = feedback_text.render(
        "a", replace(DOCUMENT, reports=(replace(GOOD_ROW_SUM, student="a", lab="a"),))
    )
    assert text.count("\n") == ordinary.count("\n")


def test_the_page_needs_no_script_and_nothing_from_anywhere() -> None:
    page = _page()
    assert not {tag for tag, _ in page.elements} & {"script", "link", "img", "iframe", "form"}
    assert all((link["href"] or "").startswith("#") for link in page.all("a"))


def test_every_link_leads_to_one_id() -> None:
    page = _page()
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {(link["href"] or "")[1:] for link in page.all("a")} <= set(ids)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="xx"):
        feedback_page.render(STUDENT, CLASS, SOURCES, "xx")
    with pytest.raises(ValueError, match="xx"):
        feedback_text.render(STUDENT, CLASS, "xx")
