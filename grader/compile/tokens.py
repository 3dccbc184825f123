"""A small C++ tokenizer: separates code from comments, literals and preprocessor lines."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """The kind of a token."""

    IDENTIFIER = auto()
    NUMBER = auto()
    STRING = auto()
    PUNCTUATION = auto()
    DIRECTIVE = auto()
    COMMENT = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One token. ``start`` and ``end`` are offsets into the original text, ``line`` is 1-based.

    ``text`` has line splices removed; a ``DIRECTIVE`` is the whole preprocessor line.
    """

    kind: Kind
    text: str
    start: int
    end: int
    line: int


_SPLICE = re.compile(r"\\[ \t]*\n")
_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))
    | (?P<raw>(?:u8|[uUL])?R"(?P<fence>[^()\\\s"]{0,16})\(.*?(?:\)(?P=fence)"|\Z))
    | (?P<string>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))
    | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
    | (?P<identifier>[^\W\d][\w$]*|\$[\w$]*)
    | (?P<punctuation><<<|>>>|::|->|%:|\?\?=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVE = re.compile(
    r"""(?:/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|//[^\n]*|[^\n])*""",
    re.VERBOSE | re.DOTALL,
)
_HASHES = frozenset({"#", "%:", "??="})
_KINDS = {
    "comment": Kind.COMMENT,
    "raw": Kind.STRING,
    "string": Kind.STRING,
    "number": Kind.NUMBER,
    "identifier": Kind.IDENTIFIER,
    "punctuation": Kind.PUNCTUATION,
}


def tokenize(text: str) -> list[Token]:
    """Every token of ``text``, comments included. Never fails.

    An unterminated literal ends with its line or with the text.
    """
    spliced, origin = _join_lines(text)
    newlines = [match.start() for match in re.finditer("\n", text)]

    def token(kind: Kind, start: int, end: int) -> Token:
        first, last = origin(start), origin(end - 1) + 1
        return Token(kind, spliced[start:end], first, last, bisect_right(newlines, first - 1) + 1)

    tokens: list[Token] = []
    position, line_is_blank = 0, True
    while position < len(spliced):
        match = _TOKEN.match(spliced, position)
        if match is None:
            break
        group = match.lastgroup or "punctuation"
        start, end = match.span()
        if group == "punctuation" and line_is_blank and match.group() in _HASHES:
            rest = _DIRECTIVE.match(spliced, start)
            end = end if rest is None else rest.end()
            tokens.append(token(Kind.DIRECTIVE, start, end))
        elif group == "space":
            line_is_blank = line_is_blank or "\n" in match.group()
        else:
            tokens.append(token(_KINDS[group], start, end))
            line_is_blank = line_is_blank and group == "comment"
        position = end
    return tokens


def _join_lines(text: str) -> "tuple[str, Origin]":
    """``text`` without backslash-newlines, and the map from an offset in the result to one in ``text``."""
    pieces, starts, shifts = [], [0], [0]
    position = length = 0
    for match in _SPLICE.finditer(text):
        piece = text[position : match.start()]
        pieces.append(piece)
        length += len(piece)
        position = match.end()
        starts.append(length)
        shifts.append(position - length)
    pieces.append(text[position:])
    return "".join(pieces), Origin(starts, shifts)


class Origin:
    """Maps an offset in spliced text to the offset of the same character in the original."""

    def __init__(self, starts: list[int], shifts: list[int]) -> None:
        self._starts = starts
        self._shifts = shifts

    def __call__(self, offset: int) -> int:
        """The original offset."""
        return offset + self._shifts[bisect_right(self._starts, offset) - 1]


_HASH = re.compile(r"(?:#|%:|\?\?=)\s*(\w*)\s*(.*)", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)


def directive(token: Token) -> tuple[str, str]:
    """Name and rest of a preprocessor line, comments removed: ``("define", "TILE 16")``."""
    match = _HASH.match(_COMMENT.sub(" ", token.text))
    return ("", "") if match is None else (match[1], match[2].strip())


def pastes(token: Token) -> bool:
    """Whether a preprocessor line may join two words: it has ``##``, in either spelling."""
    return "##" in token.text or "%:%:" in token.text
