"""Find names that a file does not contain, but can join from pieces by ``##``."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from grader.compile.tokens import Kind, Token, pastes
from grader.model.location import SourceLocation

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Pasted:
    """A ``name`` in pieces, and the ``location`` of the longest one."""

    name: str
    location: SourceLocation


def find_pasted(
    names: Iterable[str], files: Mapping[str, Sequence[Token]], *, toolkit: bool
) -> Pasted | None:
    """The first of ``names`` that ``files`` can join from pieces; ``None`` if there is none.

    ``toolkit``: the files include headers of the toolkit, which have macros that join their arguments.
    """
    directives = (token for tokens in files.values() for token in tokens if token.kind is Kind.DIRECTIVE)
    if not (toolkit or any(pastes(token) for token in directives)):
        return None
    words = {word for tokens in files.values() for token in tokens for word in _words(token)}
    for name in names:
        pieces = _pieces(name, words - {name})
        if pieces:
            longest = max(pieces, key=len)
            return Pasted(name, next(_locations(longest, files)))
    return None


def _locations(word: str, files: Mapping[str, Sequence[Token]]) -> Iterator[SourceLocation]:
    for file, tokens in files.items():
        for token in tokens:
            if word in _words(token):
                yield SourceLocation(file=file, line=token.line)


def _words(token: Token) -> Iterator[str]:
    if token.kind in {Kind.IDENTIFIER, Kind.DIRECTIVE}:
        yield from _WORD.findall(token.text)


def _pieces(word: str, words: AbstractSet[str]) -> tuple[str, ...]:
    """Members of ``words`` that are ``word`` one after the other; empty if there are none."""
    if word in words:
        return (word,)
    for length in range(1, len(word)):
        rest = _pieces(word[length:], words) if word[:length] in words else ()
        if rest:
            return (word[:length], *rest)
    return ()
