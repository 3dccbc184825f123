"""Find what else than code is in a file: Markdown, notebook commands, characters that look alike or like nothing.

Such a line breaks the code around it, and compilers only say that they cannot read it.
"""

import re
import unicodedata

from grader.compile.sources import Source
from grader.model.lookalikes import face
from grader.model.reason import Reason, reason

_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_COMMAND = re.compile(r"[ \t]*(?:![\w./]|%{1,2}[a-z])")
_COMMENTS = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)", re.DOTALL)
"""Comments of CUDA C and texts of several lines of Python, which are comments, too."""
_LOOKS_LIKE = {
    **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u00b4", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u00d7\u2217", "*"),
    **dict.fromkeys("\u2264", "<="),
    **dict.fromkeys("\u2265", ">="),
    **dict.fromkeys("\u037e", ";"),
}
"""What word processors and chat programs put in the place of a character of code."""
_WORD = re.compile(r"\w+")


def markdown_line(source: Source, failed: int | None) -> int | None:
    """The first line with a fence of Markdown outside of comments, if the compiler ``failed`` there or above it."""
    code = _COMMENTS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source.text)
    for number, line in enumerate(code.split("\n"), start=1):
        if _FENCE.match(line):
            return number if failed is None or failed <= number else None
    return None


def is_notebook_command(source: Source, line: int | None) -> bool:
    """Whether a line is a command that only notebooks know, such as ``!pip install`` or ``%timeit``."""
    return _COMMAND.match(_line(source, line)) is not None


def look_alike(source: Source, line: int | None) -> Reason | None:
    """The first character of a line that is invisible, or that looks like one of code and is none."""
    text = _line(source, line)
    letters = {
        found.start() + place for found in _WORD.finditer(text) for place in _foreign_letters(found[0])
    }
    for place, character in enumerate(text):
        if unicodedata.category(character) == "Cf":
            return reason("character-invisible", character=_code(character), name=_name(character))
        instead = face(character) if place in letters else _instead(character)
        if instead is not None:
            return reason(
                "character-looks-like-code",
                character=_code(character),
                name=_name(character),
                instead=instead,
            )
    return None


def disguised(name: str, meant: str) -> Reason | None:
    """The first letter of the identifier ``name`` that keeps it from being ``meant``, which looks the same."""
    places = _foreign_letters(name) if name != meant and face(name) == face(meant) else []
    if not places:
        return None
    letter = name[places[0]]
    return reason("name-looks-like", meant=meant, character=_code(letter), name=_name(letter))


def _foreign_letters(word: str) -> list[int]:
    """The places of letters of other alphabets that look like Latin ones, in a word that also has ASCII letters.

    Words of one alphabet are what they seem, and so are Latin letters with marks.
    """
    if word.isascii() or not any(character.isascii() and character.isalpha() for character in word):
        return []
    return [
        place
        for place, character in enumerate(word)
        if not unicodedata.name(character, "LATIN").startswith("LATIN")
        and len(seen := face(character)) == 1
        and seen.isascii()
        and seen.isalpha()
    ]


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _name(character: str) -> str:
    return unicodedata.name(character, "").lower()


def _line(source: Source, line: int | None) -> str:
    lines = source.text.split("\n")
    return lines[line - 1] if line is not None and 0 < line <= len(lines) else ""


def _instead(character: str) -> str | None:
    """The character of code that ``character`` looks like; ``None`` for code and for letters of any language."""
    if character.isascii():
        return None
    if character in _LOOKS_LIKE:
        return _LOOKS_LIKE[character]
    if unicodedata.category(character) == "Zs":
        return "a blank"
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() and not plain.isalnum() else None
