"""A map of wrong elements has labels, marks for wrong and for never written, and a page and a terminal show it."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

from rich.console import Console

from grader.model.report import Visibility
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap
from grader.report.pages import class_page
from grader.report.redact import redact
from grader.report.terminal.submission import single_report
from grader.report.wrong_map import Mark, picture
from tests.report.examples import DOCUMENT, case, kernel, report
from tools.messages import english

TILE = WrongMap(
    output="b",
    shape=(64, 100),
    plane=(),
    row_length=100,
    row_step=2,
    column_step=2,
    cells=("." * 48 + "99", "." * 49 + "1", "a" * 49 + "i"),
)
VECTOR = WrongMap(
    output="c", shape=(600,), plane=(), row_length=256, row_step=1, column_step=4, cells=("." * 64, "9" * 64)
)
WRONG = replace(case("ragged", Verdict.WRONG, "2 of 6400 elements of b are wrong"), wrong_map=TILE)
GRADED = report("student-09", "transpose", kernel("transpose", Verdict.WRONG, "wrong", cases=(WRONG,)))


def in_a_terminal(width: int = 100) -> str:
    console = Console(width=width, record=True, file=StringIO())
    console.print(single_report(GRADED, DOCUMENT.engine))
    return console.export_text()


def test_rows_and_columns_are_labelled() -> None:
    shown = picture(TILE)
    assert [row.label for row in shown.rows] == ["0", "2", "4"]
    assert shown.columns.split() == ["0", "32", "64", "96"]
    assert shown.columns.index("32") == shown.columns.index("0") + 16
    assert "2 × 2" in english(shown.caption)


def test_a_vector_is_labelled_by_elements() -> None:
    shown = picture(VECTOR)
    assert [row.label for row in shown.rows] == ["  0", "256"]
    assert "256" in english(shown.caption)


def test_a_plane_is_named() -> None:
    assert "b[1][2]" in english(picture(replace(TILE, shape=(4, 5, 64, 100), plane=(1, 2))).caption)


def test_wrong_and_never_written_have_different_marks() -> None:
    marks = [[run.mark for run in row.runs] for row in picture(TILE).rows]
    assert marks == [[Mark.RIGHT, Mark.WRONG], [Mark.RIGHT, Mark.WRONG], [Mark.UNWRITTEN]]
    texts = [row.runs[-1].text for row in picture(TILE).rows]
    assert texts == ["██", "░", "?" * 50]


def test_a_terminal_shows_the_map_under_the_cases() -> None:
    text = in_a_terminal()
    assert "··██" in text
    assert text.index("ragged") < text.index("··██")


def test_a_narrow_terminal_does_not_wrap_the_map() -> None:
    lines = [line for line in in_a_terminal(width=40).splitlines() if "···" in line]
    assert len(lines) == 2  # one line for each row with right elements


def test_a_page_shows_the_map(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    class_page.write(page, replace(DOCUMENT, reports=(GRADED,)), {})
    text = page.read_text("utf-8")
    assert '<span class="m-wrong">██</span>' in text
    assert f'<span class="m-unwritten">{"?" * 50}</span>' in text


def test_a_student_sees_no_map_of_a_hidden_case() -> None:
    hidden = replace(WRONG, visibility=Visibility.HIDDEN)
    graded = report(
        "student-09", "transpose", kernel("transpose", Verdict.WRONG, "wrong", cases=(WRONG, hidden))
    )
    public, private = redact(graded).kernels[0].cases
    assert public.wrong_map == TILE
    assert private.wrong_map is None
