"""A reason becomes text in the reader's language."""

import pytest

from grader.messages import render
from grader.messages.rendering import render_location
from grader.model.location import SourceLocation
from grader.model.reason import as_written, reason


@pytest.mark.parametrize(
    ("count", "shown"),
    [(1, "right in its only case"), (2, "right in all 2 cases"), (15, "right in all 15 cases")],
)
def test_a_number_decides_the_form(count: int, shown: str) -> None:
    assert render(reason("all-cases-passed", count=count)) == shown


def test_a_reason_inside_a_reason_has_the_same_language() -> None:
    said = reason("in-case", case="tall", reason=reason("cases-right", right=3, total=5))
    assert render(said) == "case tall: 3 of 5 cases right"
    assert render(said, "ru") == "тест tall: верно тестов: 3 из 5"
    assert render(said, "zh") == "用例 tall\uff1a5 个用例中有 3 个正确"


def test_a_word_is_translated() -> None:
    said = reason("hidden-case-verdict", number=2, verdict="timed out")
    assert render(said) == "hidden case 2: timed out"
    assert render(said, "ru") == "скрытый тест 2: превышено время"


def test_text_as_written_is_the_same_in_every_language() -> None:
    text = 'expected a ";" {not a field}'
    assert {render(as_written(text), language) for language in ("en", "ru", "zh")} == {text}


def test_a_statement_of_another_release_shows_its_code() -> None:
    assert render(reason("of-the-future", lines=3, name="x")) == "of-the-future (lines=3, name=x)"
    assert render(reason("cases-right", right=3)) == "cases-right (right=3)"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="en, ru, zh"):
        render(as_written("x"), "fr")


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        (SourceLocation(file="a.cu", line=3), "a.cu, line 3"),
        (SourceLocation(file="a.cu"), "a.cu"),
        (SourceLocation(line=3), "line 3"),
        (SourceLocation(), "an unknown line"),
    ],
)
def test_a_location_says_what_is_known(location: SourceLocation, shown: str) -> None:
    assert render_location(location) == shown
