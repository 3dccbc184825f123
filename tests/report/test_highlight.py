"""Syntax highlighting of a source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.submission import SourceFile
from grader.report.highlight import Piece, Tint, highlight
from grader.report.text import source_lines

_line = st.text(max_size=30)


def _file(name: str, *lines: str) -> SourceFile:
    return SourceFile(name=name, data="\n".join(lines).encode("utf-8", "surrogatepass"))


@given(st.lists(_line), st.sampled_from(["a.cu", "a.py"]))
def test_the_pieces_of_a_line_spell_it(lines: list[str], name: str) -> None:
    file = _file(name, *lines)
    spelt = ["".join(piece.text for piece in pieces) for pieces in highlight(file)]
    assert spelt == source_lines(file)


@pytest.mark.parametrize(
    ("name", "line", "piece"),
    [
        ("a.cu", "__global__ void f(int n)", Piece("__global__", Tint.KEYWORD)),
        ("a.cu", "    int x = threadIdx.x;", Piece("threadIdx", Tint.BUILTIN)),
        ("a.cu", "#define N 32", Piece("#define N 32", Tint.DIRECTIVE)),
        ("a.cuh", "float y = 0.5f; // half", Piece("0.5f", Tint.NUMBER)),
        ("a.cuh", "float y = 0.5f; // half", Piece("// half", Tint.COMMENT)),
        ("a.py", "def f(a):", Piece("def", Tint.KEYWORD)),
        ("a.py", "# launch: f block=32", Piece("# launch: f block=32", Tint.COMMENT)),
        ("a.py", "x = 'text'", Piece("'text'", Tint.TEXT)),
    ],
)
def test_a_piece_is_coloured_by_what_it_is(name: str, line: str, piece: Piece) -> None:
    (pieces,) = highlight(_file(name, line))
    assert piece in pieces


def test_a_comment_over_several_lines_is_one_on_each() -> None:
    assert highlight(_file("a.cu", "/* one", "", "two */ int x;"))[:2] == (
        (Piece("/* one", Tint.COMMENT),),
        (),
    )


def test_a_file_too_long_to_be_handwritten_stays_plain() -> None:
    many = ["int y; " * 10] * 3_000
    assert highlight(_file("a.cu", "int x;", *many))[0] == (Piece("int x;"),)
