"""Remove host code from a CUDA C file, so that a student can submit a whole program.

NVRTC accepts device code only. Removed text is replaced by blanks, so the lines and columns of the remaining code do
not change.
"""

import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from grader.compile.build_time import fix_build_time, replace_token
from grader.compile.cpp_classes import constexpr_members, host_members
from grader.compile.cpp_outline import Item, Outline, Shape
from grader.compile.tokens import Kind, Token, directive

_KEPT_DIRECTIVES = frozenset(
    {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "define", "undef", "include"}
)
_RENUMBERING = "line"
_BOTH_SPACES = "__host__ __device__ "
_NO_INCLUDES: Mapping[int, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DevicePart:
    """A file reduced to its device code. ``host_functions`` are the definitions that were removed."""

    text: str
    host_functions: tuple[Item, ...]


def is_host_code(item: Item) -> bool:
    """Whether ``item`` is certainly host code: a function or prototype without a CUDA execution space specifier."""
    return not item.device and not item.constexpr and item.shape is not Shape.OTHER


def device_part(
    text: str,
    outline: Outline,
    *,
    dropped: Iterable[Item] = (),
    overridden: Container[str] = (),
    includes: Mapping[int, str] = _NO_INCLUDES,
) -> DevicePart:
    """``text`` without host functions, the items in ``dropped`` and the definitions of ``overridden`` macros.

    ``constexpr`` functions become ``__host__ __device__``, as nvcc treats them in constant expressions. ``#line`` is
    blanked, because messages must name the lines of the file itself. The time of the compilation is a constant.
    ``includes`` are the ``#include`` lines for the compiler, by the offset of the student's.
    """
    host = [item for item in outline.items if is_host_code(item)]
    methods = [member for item in outline.items for member in host_members(item, outline.markers)]
    characters = list(text)
    # First, because blanking removes the constants of host code again.
    fix_build_time(characters, outline.tokens)
    directives = [token for token in outline.tokens if token.kind is Kind.DIRECTIVE]
    for item in (*host, *methods, *dropped):
        _blank(characters, item.tokens[0].start, item.tokens[-1].end, directives)
    for token in directives:
        if _renumbers(token) or defined_macro(token) in overridden:
            _blank_span(characters, token.start, token.end)
        elif token.start in includes:
            replace_token(characters, token, includes[token.start])
    for function in _constexpr_functions(outline):
        first = function.tokens[_constexpr(function)].start
        characters[first] = _BOTH_SPACES + characters[first]
    functions = tuple(item for item in host if item.shape is Shape.FUNCTION)
    return DevicePart("".join(characters), functions)


def _constexpr_functions(outline: Outline) -> Iterator[Item]:
    """The ``constexpr`` functions without a CUDA space specifier, those of classes included."""
    for item in outline.items:
        if item.constexpr and not item.device and item.shape is not Shape.OTHER:
            yield item
        yield from constexpr_members(item, outline.markers)


def _constexpr(item: Item) -> int:
    """The index of ``constexpr``, before which further specifiers may be inserted."""
    return next(index for index, token in enumerate(item.tokens) if token.text == "constexpr")


def defined_macro(token: Token) -> str | None:
    """The name in a ``#define`` or ``#undef`` line; ``None`` for any other line."""
    name, rest = directive(token)
    word = re.match(r"\w+", rest) if name in {"define", "undef"} else None
    return None if word is None else word.group()


def _renumbers(token: Token) -> bool:
    name, _ = directive(token)
    return name == _RENUMBERING or name.isdigit()


def _blank(characters: list[str], start: int, end: int, directives: Sequence[Token]) -> None:
    """Blank a span, except for preprocessor lines that affect code after it."""
    position = start
    for token in directives[
        bisect_left(directives, start, key=_start) : bisect_left(directives, end, key=_start)
    ]:
        name, _ = directive(token)
        _blank_span(characters, position, token.start)
        if name not in _KEPT_DIRECTIVES:
            _blank_span(characters, token.start, token.end)
        position = token.end
    _blank_span(characters, position, end)


def _start(token: Token) -> int:
    return token.start


def _blank_span(characters: list[str], start: int, end: int) -> None:
    for index in range(start, end):
        if characters[index] != "\n":
            characters[index] = " "
