"""Split PTX text into statements, in time linear in its length for any input.

The parser's regular expressions never get raw text: comments are removed and blanks are reduced to single ones, so no
input causes repeated backtracking.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from grader.engines.emulator.ptx.syntax import PtxError

_COMMENT_OR_STRING = re.compile(r'"|//|/\*')
_STOP = re.compile(r'[;{}"]')
_BLANK = re.compile(r"\s*+")
_LABEL = re.compile(r"([\w$%]++)\s*+:(?!:)")
_LINE = re.compile(r"\.(?:loc|file|version|target|address_size)\b[^\n]*+")
_HEADER = re.compile(r"(?:\.(?:visible|extern|weak|common)\s+)*\.(?:entry|func)\b")
_SHOWN = 60


class Kind(Enum):
    """Kind of a statement. A ``LINE`` is a directive that ends at the end of its line."""

    PLAIN = auto()
    HEADER = auto()
    DECLARATION = auto()
    LABEL = auto()
    LINE = auto()
    OPEN = auto()
    CLOSE = auto()


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement without its ``;``, blanks reduced to single spaces; ``position`` is its start in the text."""

    kind: Kind
    text: str
    position: int


class Source:
    """One PTX text."""

    def __init__(self, text: str) -> None:
        """Raises: ``PtxError`` if a comment or string has no end."""
        self._original = text
        self._text = self._without_comments()

    def line_at(self, position: int) -> int:
        """The 1-based line of a position."""
        return self._text.count("\n", 0, position) + 1

    def statements(self) -> Iterator[Statement]:
        """All statements in order. Raises: ``PtxError`` with the line."""
        position, end = _skip(self._text, 0), len(self._text)
        while position < end:
            statement, position = self._next(position)
            if statement.text or statement.kind is not Kind.PLAIN:
                yield statement
            position = _skip(self._text, position)

    def _next(self, start: int) -> tuple[Statement, int]:
        text = self._text
        if match := _LINE.match(text, start):
            return Statement(Kind.LINE, match[0], start), match.end()
        if match := _LABEL.match(text, start):
            return Statement(Kind.LABEL, match[1], start), match.end()
        if text[start] in "{}":
            return Statement(Kind.OPEN if text[start] == "{" else Kind.CLOSE, text[start], start), start + 1
        is_header = _HEADER.match(text, start) is not None
        at, braces = start, 0
        while match := _STOP.search(text, at):
            at = match.end()
            stop = match[0]
            if stop == '"':
                at = self._find('"', at, "a string") + 1
            elif stop == ";":
                kind = Kind.DECLARATION if is_header else Kind.PLAIN
                return Statement(kind, _words(text[start : at - 1]), start), at
            elif stop == "{" and is_header:
                return Statement(Kind.HEADER, _words(text[start : at - 1]), start), at
            elif stop == "{" and text.startswith(".section", start):
                return Statement(Kind.PLAIN, "", start), self._find("}", at, ".section") + 1
            elif stop == "{":
                braces += 1
            elif braces == 0:
                break
            else:
                braces -= 1
        raise unreadable(text[start : start + 2 * _SHOWN], self.line_at(start))

    def _without_comments(self) -> str:
        """The text with comments replaced by blanks; line breaks stay, so that lines keep their numbers."""
        text = self._original
        self._text = text
        pieces, done, at = [], 0, 0
        while match := _COMMENT_OR_STRING.search(text, at):
            if match[0] == '"':
                at = self._find('"', match.end(), "a string") + 1
                continue
            if match[0] == "//":
                at = text.find("\n", match.end())
                at = len(text) if at < 0 else at
                blank = " "
            else:
                at = self._find("*/", match.end(), "a comment") + 2
                blank = " " + "\n" * text.count("\n", match.start(), at)
            pieces += [text[done : match.start()], blank]
            done = at
        return "".join([*pieces, text[done:]])

    def _find(self, what: str, start: int, whole: str) -> int:
        at = self._text.find(what, start)
        if at < 0:
            msg = f"line {self.line_at(start)}: {whole} that never ends"
            raise PtxError(msg)
        return at


def unreadable(text: str, line: int) -> PtxError:
    """The error for text that the parser cannot read."""
    return PtxError(f"line {line}: cannot read {_words(text)[:_SHOWN]!r}")


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _words(text: str) -> str:
    return " ".join(text.split())
