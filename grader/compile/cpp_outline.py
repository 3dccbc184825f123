"""Outline of a C++ file: its top-level functions, types and variables, found by matching brackets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

from grader.compile.tokens import Kind, Token, directive

_MARKERS = frozenset(
    {
        "__global__",
        "__device__",
        "__constant__",
        "__shared__",
        "__managed__",
        "__grid_constant__",
    }
)
_OPENERS = {"(": ")", "[": "]", "{": "}"}
_CLOSERS = frozenset(_OPENERS.values())
_TYPE_WORDS = frozenset({"struct", "class", "union", "enum"})
_LINKAGES = (["extern", '"C"'], ["extern", '"C++"'])
_NOT_A_PROTOTYPE = frozenset({"typedef", "using", "static_assert", "template", "friend"})
_CALL_LIKE_WORDS = frozenset(
    {"__launch_bounds__", "__attribute__", "__declspec", "__align__", "alignas", "decltype", "noexcept"}
)


class Shape(Enum):
    """The syntactic form of an item."""

    FUNCTION = auto()
    PROTOTYPE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Item:
    """One top-level item; ``tokens`` excludes comments and preprocessor lines.

    ``device``: the item has a CUDA memory or execution space specifier, directly or through a macro.
    ``body`` is the index of a function's ``{`` in ``tokens``.
    """

    shape: Shape
    tokens: tuple[Token, ...]
    device: bool
    body: int | None

    @property
    def name(self) -> str | None:
        """The name of a function or prototype; ``None`` for any other item."""
        return _function_name(self.head) if self.shape is not Shape.OTHER else None

    @property
    def head(self) -> tuple[Token, ...]:
        """The declaration without a function's body."""
        return self.tokens if self.body is None else self.tokens[: self.body]

    @property
    def constexpr(self) -> bool:
        """Whether the declaration says ``constexpr``."""
        return any(token.text == "constexpr" for token in self.head)

    @property
    def lines(self) -> range:
        """The lines that the item spans."""
        return range(self.tokens[0].line, self.tokens[-1].line + 1)

    @property
    def is_template_kernel(self) -> bool:
        """Whether the declaration is that of a kernel template."""
        return self.mentions("__global__") and self.tokens[0].text == "template"

    def mentions(self, word: str) -> bool:
        """Whether ``word`` is one of the item's identifiers."""
        return any(token.text == word and token.kind is Kind.IDENTIFIER for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Outline:
    """A file's tokens and items. ``unclosed`` is the first ``{`` without a matching ``}``, if any.

    ``markers`` are the words that stand for a CUDA space specifier in this file.
    """

    tokens: tuple[Token, ...]
    items: tuple[Item, ...]
    unclosed: Token | None
    markers: frozenset[str]


def outline(tokens: tuple[Token, ...], markers: frozenset[str] = frozenset()) -> Outline:
    """The outline of a file. ``markers`` are further macros (from headers) that expand to a CUDA space specifier."""
    markers = _MARKERS | markers | device_macros(tokens)
    scanner = _Scanner(list(_code(tokens)), markers)
    items = tuple(scanner.scan())
    return Outline(tokens, items, scanner.unclosed, markers)


def scan(tokens: Sequence[Token], markers: frozenset[str]) -> tuple[Item, ...]:
    """The items in a part of a file; ``markers`` are the words that stand for a CUDA space specifier."""
    return tuple(_Scanner(list(tokens), markers).scan())


def device_macros(tokens: tuple[Token, ...]) -> frozenset[str]:
    """Names of macros that expand to a CUDA execution or memory space specifier."""
    found: set[str] = set()
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            name, rest = directive(token)
            words = re.findall(r"\w+", rest)
            if name == "define" and (_MARKERS | found).intersection(words[1:]):
                found.add(words[0])
    return frozenset(found)


def _code(tokens: tuple[Token, ...]) -> Iterator[Token]:
    """The tokens that make up items: only the first branch of each ``#if``, the second one of ``#if 0``.

    Both branches of a conditional often open the same brace, so counting both would lose the balance.
    """
    skipping: list[bool] = []
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            name, rest = directive(token)
            if name in {"if", "ifdef", "ifndef"}:
                skipping.append(name == "if" and rest == "0")
            elif name in {"else", "elif"} and skipping:
                skipping[-1] = not skipping[-1]
            elif name == "endif" and skipping:
                skipping.pop()
        elif token.kind is not Kind.COMMENT and not any(skipping):
            yield token


class _Scanner:
    """Splits tokens into items in one pass; ``namespace`` and ``extern "C"`` braces do not form an item."""

    def __init__(self, tokens: list[Token], markers: frozenset[str]) -> None:
        self._tokens = tokens
        self._markers = markers
        self.unclosed: Token | None = None

    def scan(self) -> Iterator[Item]:
        position = start = 0
        while position < len(self._tokens):
            token = self._tokens[position]
            if token.text == ";":
                yield from self._item(start, position + 1, None)
                position = start = position + 1
            elif token.text == "{":
                head = self._tokens[start:position]
                if _is_container(head):
                    position = start = position + 1
                    continue
                end = self._matching(position)
                if _is_function(head) and not self._continues(end):
                    yield from self._item(start, end, position - start)
                    start = end
                position = end
            elif token.text in {"(", "["}:
                position = self._matching(position)
            elif token.text in _CLOSERS:
                position = start = position + 1
            else:
                position += 1
        yield from self._item(start, len(self._tokens), None)

    def _continues(self, end: int) -> bool:
        """Whether the brace that closes before ``end`` is a member initialiser and not the function's body."""
        return end < len(self._tokens) and self._tokens[end].text in {",", "{"}

    def _matching(self, position: int) -> int:
        """The index just past the bracket that closes the one at ``position``."""
        expected: list[int] = []
        index = position
        while index < len(self._tokens):
            text = self._tokens[index].text
            if text in _OPENERS:
                expected.append(index)
            elif text in _CLOSERS:
                while expected and _OPENERS[self._tokens[expected[-1]].text] != text:
                    if self._tokens[expected[-1]].text == "{":
                        return index
                    expected.pop()
                if expected:
                    expected.pop()
                if not expected:
                    return index + 1
            index += 1
        if self.unclosed is None and self._tokens[position].text == "{":
            self.unclosed = self._tokens[position]
        return index

    def _item(self, start: int, end: int, body: int | None) -> Iterator[Item]:
        tokens = tuple(self._tokens[start:end])
        if not tokens or all(token.text == ";" for token in tokens):
            return
        head = tokens if body is None else tokens[:body]
        shape = Shape.OTHER if body is None else Shape.FUNCTION
        if body is None and _is_prototype(tokens):
            shape = Shape.PROTOTYPE
        yield Item(shape, tokens, any(token.text in self._markers for token in head), body)


def _is_container(head: list[Token]) -> bool:
    words = [token.text for token in head]
    return "namespace" in words[:2] or words in _LINKAGES


def _is_function(head: list[Token]) -> bool:
    outer = outside_brackets(head)
    if "=" in outer and "operator" not in outer:
        return False
    return "(" in outer and not (_TYPE_WORDS.intersection(outer[: outer.index("(")]) and outer[-1] != ")")


def _has_parameters(outer: list[str]) -> bool:
    """Whether a parenthesis belongs to no attribute, such as ``alignas(16)``."""
    pairs = pairwise(["", *outer])
    return any(text == "(" and before not in _CALL_LIKE_WORDS for before, text in pairs)


def _is_prototype(tokens: tuple[Token, ...]) -> bool:
    outer = outside_brackets(tokens)
    return (
        _has_parameters(outer)
        and tokens[-1].text == ";"
        and not {"=", "{"}.intersection(outer)
        and not _NOT_A_PROTOTYPE.intersection(outer)
    )


def outside_brackets(tokens: Sequence[Token]) -> list[str]:
    """The token texts outside all brackets, without the template header; each bracket pair is kept, empty."""
    texts: list[str] = []
    depth = 0
    for token in tokens[template_header(tokens) :]:
        if token.text in _CLOSERS:
            depth = max(0, depth - 1)
        if depth == 0:
            texts.append(token.text)
        if token.text in _OPENERS:
            depth += 1
    return texts


def template_header(tokens: Sequence[Token]) -> int:
    """The number of tokens in a leading ``template <...>``; 0 if there is none."""
    if [token.text for token in tokens[:2]] != ["template", "<"]:
        return 0
    depth = 0
    for index, token in enumerate(tokens):
        depth += {"<": 1, ">": -1, ">>>": -3, "<<<": 3}.get(token.text, 0)
        if index > 0 and depth <= 0:
            return index + 1
    return len(tokens)


def _function_name(head: tuple[Token, ...]) -> str | None:
    """The identifier before the first parenthesis that belongs to no attribute."""
    tokens = list(head)
    depth = 0
    for index, token in enumerate(tokens):
        if token.text == "(" and depth == 0 and index > 0:
            before = tokens[index - 1]
            if before.kind is Kind.IDENTIFIER and before.text not in _CALL_LIKE_WORDS:
                return before.text
        depth += (token.text in _OPENERS) - (token.text in _CLOSERS)
    return None
