"""Lines of sentences in a terminal, in languages with and without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, Group

from grader.report.terminal.prose import Prose


def lines(text: str, width: int) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(Group(Prose(text)))
    return [line.rstrip() for line in capture.get().splitlines()]


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("线程束每次加载", 6, ["线程束", "每次加", "载"]),
        ("第 11 行读取的", 8, ["第 11 行", "读取的"]),
        ("通过、hidden-1、hidden-2", 16, ["通过、hidden-1、", "hidden-2"]),
        ("需要一二三。四", 10, ["需要一二", "三。四"]),
        ("需要一（二三）", 8, ["需要一", "（二三）"]),  # noqa: RUF001 - Chinese
        ("速度的 45.8 %，模型", 11, ["速度的", "45.8 %，模", "型"]),
    ],
)
def test_lines_break_where_the_language_breaks_them(text: str, width: int, shown: list[str]) -> None:
    assert lines(text, width) == shown


@given(st.text(alphabet="ab 线程，。（）1%", max_size=60), st.integers(min_value=6, max_value=30))  # noqa: RUF001 - Chinese
def test_no_line_is_too_wide_and_no_character_is_lost(text: str, width: int) -> None:
    found = lines(text, width)
    assert all(cell_len(line) <= width for line in found)
    assert "".join("".join(found).split()) == "".join(text.split())
