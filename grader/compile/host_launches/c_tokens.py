"""Find brackets, lists and names in the tokens of host code."""

from collections.abc import Iterator, Sequence

from grader.compile.tokens import Kind, Token

OPENERS = {"(": ")", "[": "]", "{": "}"}
CLOSERS = frozenset(OPENERS.values())
_ANGLES = {"<": 1, ">": -1, ">>>": -3}
_MOST_TEMPLATE_TOKENS = 64

Span = Sequence[Token]


def closing(tokens: Span, opening: int) -> int:
    """The index of the bracket that closes the one at ``opening``; the last index if none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index].text in OPENERS) - (tokens[index].text in CLOSERS)
        if depth == 0:
            return index
    return len(tokens) - 1


def split(tokens: Span, separator: str = ",") -> list[Span]:
    """The parts between separators outside brackets; none for no tokens."""
    parts: list[Span] = []
    depth = start = 0
    for index, token in enumerate(tokens):
        depth += (token.text in OPENERS) - (token.text in CLOSERS)
        if token.text == separator and depth == 0:
            parts.append(tokens[start:index])
            start = index + 1
    return [*parts, tokens[start:]] if tokens else []


def template_end(tokens: Span, opening: int) -> int | None:
    """The index of the ``>`` that closes the ``<`` at ``opening``, if this can be a list of template arguments."""
    depth = 0
    for index in range(opening, min(len(tokens), opening + _MOST_TEMPLATE_TOKENS)):
        text = tokens[index].text
        if text in {";", "{", "}", "&&"}:
            return None
        depth += _ANGLES.get(text, 0)
        if depth <= 0:
            return index
    return None


def template_start(tokens: Span, end: int) -> int | None:
    """The index of the ``<`` that opens the list of template arguments which the ``>`` at ``end`` closes."""
    depth = 0
    for index in range(end, max(-1, end - _MOST_TEMPLATE_TOKENS), -1):
        depth -= _ANGLES.get(tokens[index].text, 0)
        if depth <= 0:
            return index
    return None


def spelled(tokens: Span) -> str:
    """Tokens as text, with blanks where the source has some."""
    pieces = []
    for index, token in enumerate(tokens):
        gap = index > 0 and token.start != tokens[index - 1].end
        pieces.append(f" {token.text}" if gap else token.text)
    return "".join(pieces)


def words(tokens: Span) -> Iterator[str]:
    """The identifiers among ``tokens``."""
    return (token.text for token in tokens if token.kind is Kind.IDENTIFIER)


def is_path(tokens: Span) -> bool:
    """Whether ``tokens`` name a variable or a member of one: ``n``, ``config.gridDim``, ``p->n``."""
    names, links = tokens[::2], tokens[1::2]
    return (
        len(tokens) % 2 == 1
        and all(each.kind is Kind.IDENTIFIER for each in names)
        and all(each.text in {".", "->"} for each in links)
    )


def path(tokens: Span) -> str:
    """The name of ``is_path`` tokens: ``p->n`` as ``p.n``."""
    return ".".join(token.text for token in tokens[::2])
