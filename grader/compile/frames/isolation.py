"""What a student's CUDA C may not contain inside a frame, because it would change the code around it.

The names that count are those of the compiled text: nothing of it hides in a conditional, in a macro or behind an
operator. A block that is left open is found where the student's files are compiled alone.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from grader.compile.cpp_outline import Item, Outline, Shape
from grader.compile.failure import BuildFailed
from grader.compile.host_code import is_host_code
from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.tokens import Kind, Token, directive
from grader.model.location import SourceLocation
from grader.model.reason import reason

_DIRECTIVES = frozenset({"include", "define", "undef", "pragma"})
_PRAGMAS = frozenset({"unroll", "once"})
_FORBIDDEN = frozenset({"__global__", "asm", "__asm__", "__asm", "_Pragma", "__pragma", "operator"})
"""Words by which code reaches beyond the function that it stands in."""

_DIGRAPHS = frozenset({"<%", "%>", "%:"})
"""Other spellings of brackets, which no count of brackets sees."""

_WORD = re.compile(r"[^\W\d]\w*")
_OPENERS, _CLOSERS = frozenset("([{"), frozenset(")]}")


def check_isolation(files: Mapping[str, Outline], owned: Collection[str], hidden: Collection[str]) -> None:
    """Check a student's ``files``. The frame owns the names ``owned``, and its files ``hidden`` may not be included.

    Raises: ``BuildFailed`` with the student's line.
    """
    for file, found in files.items():
        for first, second in pairwise(found.tokens):
            if first.text + second.text in _DIGRAPHS and first.end == second.start:
                raise _refused(file, first, "frame-word", word=first.text + second.text)
        for token in found.tokens:
            if token.kind is Kind.DIRECTIVE:
                _check_directive(file, token, owned, hidden)
            elif token.kind is Kind.IDENTIFIER and token.text in _FORBIDDEN:
                raise _refused(file, token, "frame-word", word=token.text)
        for item in found.items:
            taken = next((token for token in _declared(item) if token.text in owned), None)
            if taken is not None and not is_host_code(item):
                raise _refused(file, taken, "frame-name", word=taken.text)


def _refused(file: str, token: Token, code: str, **params: str) -> BuildFailed:
    """The failure ``code`` at ``token`` of a student's file."""
    quoted = {name: clean(text, MAX_QUOTED) for name, text in params.items()}
    return BuildFailed(reason(code, location=SourceLocation(file=file, line=token.line), **quoted))


def _check_directive(file: str, token: Token, owned: Collection[str], hidden: Collection[str]) -> None:
    name, rest = directive(token)
    words = _WORD.findall(rest)
    if name not in _DIRECTIVES or (name == "pragma" and words[:1] != [*_PRAGMAS.intersection(words[:1])]):
        raise _refused(file, token, "frame-directive", directive=f"#{name} {rest}".strip())
    if name == "include" and any(each in rest for each in hidden):
        raise _refused(file, token, "frame-directive", directive=f"#{name} {rest}".strip())
    if name not in {"define", "undef"}:
        return
    if "##" in rest or "%:" in rest:
        raise _refused(file, token, "frame-directive", directive=f"#{name} {rest}".strip())
    taken = [
        word
        for word in words
        if word in owned or word in _FORBIDDEN or (word == words[0] and word.startswith("__"))
    ]
    if taken:
        raise _refused(file, token, "frame-name", word=taken[0])


def _declared(item: Item) -> Iterator[Token]:
    """The identifiers that an item may declare: a function's name, or all outside the brackets of anything else."""
    if item.shape is not Shape.OTHER:
        name = item.name
        yield from (token for token in item.head if token.text == name)
        return
    depth, is_enum = 0, item.mentions("enum")
    for token in item.tokens:
        if token.text in _CLOSERS:
            depth -= 1
        if token.kind is Kind.IDENTIFIER and (depth == 0 or is_enum):
            yield token
        if token.text in _OPENERS:
            depth += 1
