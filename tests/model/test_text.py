"""Text from outside becomes one harmless line, and stays itself where it is harmless."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.text import printable


@pytest.mark.parametrize("text", ["student-01", "Zoë O'Neil", "学生", '<b>&"', "=1+1", "👩‍💻 ✔️", "a  b"])
def test_harmless_text_stays_itself(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("abc\u202excod", r"abc\u202excod"),
        ("one\u2028two\x85", r"one\u2028two\x85"),
        ("\ufeffa\U000e0041", r"\ufeffa\U000e0041"),
    ],
)
def test_what_breaks_lines_or_steers_a_terminal_is_spelled_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text(st.characters(codec=None)))
def test_anything_becomes_one_line_of_valid_unicode(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert json.loads(json.dumps(shown, ensure_ascii=False).encode("utf-8")) == shown
