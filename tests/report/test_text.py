"""Untrusted strings, made safe to display."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.submission import SourceFile
from grader.model.text import natural_key
from grader.report.text import output_lines, safe_name, safe_text, source_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines", r"two\nlines"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\tb\r\x00\x7f\x9b", r"a\tb\r\x00\x7f\x9b"),
        ("gnp\u202eexe", r"gnp\u202eexe"),
        ("line\u2028separator", r"line\u2028separator"),
        ("M\udcfcller", r"M\xfcller"),
        ("lone \ud800", r"lone \ud800"),
        ("\ufefftag\U000e0041", r"\ufefftag\U000e0041"),
    ],
)
def test_what_would_act_is_spelt_out(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@pytest.mark.parametrize(
    "text", ["", "Zoë O'Neil", "مريم", "王小明", "👩\u200d🚀", "non\u00a0breaking", "[bold]", "<b>"]
)
def test_what_people_write_stays(text: str) -> None:
    assert safe_text(text) == text


@given(st.text(st.characters(exclude_categories=())))
def test_the_result_is_one_line_that_any_file_can_hold(text: str) -> None:
    shown = safe_text(text)
    assert len(shown.splitlines()) <= 1
    assert shown.encode().decode() == shown
    assert safe_text(shown) == shown


def test_beyond_the_limit_characters_are_counted() -> None:
    assert safe_text("a" * 10, limit=4) == "aaaa… (+6)"
    assert safe_text("a" * 4, limit=4) == "aaaa"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"int a;\r\nint b;\n", ["int a;", "int b;"]),
        (b"\xef\xbb\xbfint a;\n\n", ["int a;", ""]),
        (b"// f\xfcr\n", ["// für"]),
        (b"a\tb\n", ["a   b"]),
        (b"\x1b[2J\n", [r"\x1b[2J"]),
    ],
)
def test_source_lines_are_numbered_as_an_editor_does(data: bytes, lines: list[str]) -> None:
    assert source_lines(SourceFile(name="a.cu", data=data)) == lines


def test_a_name_from_right_to_left_does_not_turn_its_line_around() -> None:
    assert safe_name("مريم") == "\u200eمريم\u200e"
    assert safe_name("Zoë") == "Zoë"


def test_numbers_in_names_are_ordered_by_value() -> None:
    names = ["student-10", "Student-9", "student-1", "10", "9", "anna"]
    assert sorted(names, key=natural_key) == ["9", "10", "anna", "student-1", "Student-9", "student-10"]


def test_what_was_printed_is_cut_into_safe_lines() -> None:
    assert output_lines("a\tb\n\x1b[2J\n", 5) == (["a       b", r"\x1b[2J"], 0)
    assert output_lines("1\n2\n3", 2) == (["1", "2"], 1)
