"""The C++ tokenizer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.compile.tokens import Kind, directive, tokenize


def texts(source: str, kind: Kind) -> list[str]:
    return [token.text for token in tokenize(source) if token.kind is kind]


def test_braces_in_comments_and_literals_are_not_code() -> None:
    source = """f("{", '{', R"x({)" {)x", u8"\\"{"); // {\n/* { */ }"""
    assert texts(source, Kind.PUNCTUATION) == ["(", ",", ",", ",", ")", ";", "}"]


def test_a_launch_differs_from_shifts_and_templates() -> None:
    assert texts("k<<<1, 2>>>(a);", Kind.PUNCTUATION)[:3] == ["<<<", ",", ">>>"]
    assert texts("a<b>", Kind.PUNCTUATION) == ["<", ">"]


def test_a_digit_separator_opens_no_literal() -> None:
    assert texts("int a = 1'000'000; b", Kind.IDENTIFIER) == ["int", "a", "b"]


def test_a_preprocessor_line_with_continuations_is_one_token() -> None:
    tokens = tokenize("#define F(x) \\\n  { x /* \n */ } // end\nint a;")
    assert [token.kind for token in tokens][:2] == [Kind.DIRECTIVE, Kind.IDENTIFIER]
    assert tokens[1].line == 4


@pytest.mark.parametrize(
    "spelling", ["#include <a>", "# /* x */ include <a>", "%:include <a>", "??=inc\\\nlude <a>"]
)
def test_every_spelling_of_a_directive_is_read(spelling: str) -> None:
    (token,) = tokenize(spelling)
    assert directive(token)[0] in {"include", ""}


def test_a_hash_inside_a_line_is_no_directive() -> None:
    assert texts("a # b\n", Kind.DIRECTIVE) == []


def test_a_spliced_word_is_one_word_at_its_first_line() -> None:
    (token,) = tokenize("\nma\\\nin")
    assert (token.text, token.line, token.start, token.end) == ("main", 2, 1, 7)


@given(st.text(alphabet="ab1 \n\t\"'/*\\#(){}<>;R.é$", max_size=60))
def test_any_text_becomes_ordered_spans_that_lie_inside_it(source: str) -> None:
    end = 0
    for token in tokenize(source):
        assert end <= token.start < token.end <= len(source)
        assert token.line == source.count("\n", 0, token.start) + 1
        end = token.end
