"""Syntax highlighting: source lines as pieces of one tint each."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token

from grader.languages import of_file
from grader.model.submission import SourceFile
from grader.report.text import source_lines

_LONGEST = 128 * 1024
"""Longest source, in characters, that is highlighted; a longer one was not written by hand and stays plain."""


class Tint(StrEnum):
    """The token class that decides the colour of a piece."""

    COMMENT = "comment"
    DIRECTIVE = "directive"
    TEXT = "text"
    NUMBER = "number"
    KEYWORD = "keyword"
    BUILTIN = "builtin"


_TINTS = {
    Token.Comment.Preproc: Tint.DIRECTIVE,
    Token.Comment.PreprocFile: Tint.TEXT,
    Token.Comment: Tint.COMMENT,
    Token.Literal.String: Tint.TEXT,
    Token.Literal.Number: Tint.NUMBER,
    Token.Keyword: Tint.KEYWORD,
    Token.Operator.Word: Tint.KEYWORD,
    Token.Name.Builtin: Tint.BUILTIN,
    Token.Name.Decorator: Tint.BUILTIN,
    Token.Name.Variable.Global: Tint.BUILTIN,
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive characters of one line with one tint."""

    text: str
    tint: Tint | None = None


@lru_cache(maxsize=64)
def highlight(file: SourceFile) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of each line of ``file``; joined, they are the line as ``source_lines`` escapes it.

    Cached because a report shows one file in many excerpts.
    """
    lines = source_lines(file)
    text = "".join(f"{line}\n" for line in lines)
    if len(text) > _LONGEST:
        return tuple((Piece(line),) if line else () for line in lines)
    language = of_file(file.name)
    lexer = get_lexer_by_name("text" if language is None else language.lexer)
    rows: list[list[Piece]] = [[]]
    for tint, group in groupby(_tokens(lexer, text), key=lambda token: token[1]):
        first, *further = "".join(value for value, _ in group).split("\n")
        rows[-1].append(Piece(first, tint))
        rows += [[Piece(value, tint)] for value in further]
    return tuple(tuple(piece for piece in row if piece.text) for row in rows[: len(lines)])


def _tokens(lexer: Lexer, text: str) -> Iterator[tuple[str, Tint | None]]:
    # Unlike `get_tokens`, this neither strips nor adds line ends.
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        yield value, next((_TINTS[k] for k in reversed(kind.split()) if k in _TINTS), None)
