"""Declarations and assignments in host code."""

from collections.abc import Iterator

from grader.compile.host_launches.c_expressions import Scope, read_expression
from grader.compile.host_launches.c_operators import INTEGER_TYPES, REAL_TYPES
from grader.compile.host_launches.c_tokens import OPENERS, Span, closing, is_path, path, split, template_end
from grader.compile.host_launches.values import (
    Dimensions,
    Expression,
    Listing,
    Variable,
    call,
    converted_to_whole,
    dimensions,
    value_of,
    whole,
)
from grader.compile.tokens import Kind

_QUALIFIERS = frozenset(
    {"const", "constexpr", "static", "volatile", "inline", "register", "extern", "__restrict__", "mutable"}
    | {"__managed__", "__device__", "__constant__", "__host__"}
)
_DIMENSION_TYPE = "dim3"
_OPERATORS = frozenset({"+", "-", "*", "/", "%"})


def is_declaration(tokens: Span) -> bool:
    """Whether a simple statement declares variables."""
    return _declarators(tokens) is not None


def declarations(tokens: Span, scope: Scope) -> Iterator[Variable]:
    """The variables that a simple statement declares, one after the other, because each may use those before it."""
    start = _declarators(tokens)
    if start is None:
        return
    kind = [token.text for token in tokens[:start] if token.text not in _QUALIFIERS and token.text != "&"]
    for part in split(tokens[start:]):
        stars = [token for token in part if token.text == "*"]
        names = [index for index, token in enumerate(part) if token.kind is Kind.IDENTIFIER]
        names = [index for index in names if part[index].text not in _QUALIFIERS]
        if names and not any(token.text in OPENERS or token.text == "=" for token in part[: names[0]]):
            first = names[0]
            pointer = "*" if any(token.start < part[first].start for token in stars) else ""
            yield _declared(part[first:], " ".join(kind) + pointer, scope)


def _declared(part: Span, kind: str, scope: Scope) -> Variable:
    """One variable; ``part`` starts with its name."""
    name, rest = part[0], part[1:]
    array = bool(rest) and rest[0].text == "["
    while rest and rest[0].text == "[":
        rest = rest[closing(rest, 0) + 1 :]
    value: Expression | None = None
    if rest and rest[0].text == "=":
        value = read_expression(rest[1:], scope)
    elif rest and rest[0].text in {"(", "{"}:
        items = [read_expression(each, scope) for each in split(rest[1 : closing(rest, 0)])]
        value = items[0] if len(items) == 1 and kind != _DIMENSION_TYPE else Listing(tuple(items))
    if kind == _DIMENSION_TYPE and not array:
        value = _extents(value)
    elif value is not None and not array:
        value = converted(value, kind)
    return Variable(name.text, value, f"{kind}*" if array else kind, is_real_type(kind), name.line)


def _extents(value: Expression | None) -> Expression:
    """The value of a ``dim3`` that is made from ``value``."""
    if value is None or value == Listing(()):
        return Dimensions(whole(1))
    return dimensions(value) or value


def converted(value: Expression, kind: str) -> Expression:
    """``value`` in a variable of type ``kind``."""
    if is_real_type(kind) and not isinstance(value_of(value), Listing):
        return call("real", value)
    if _arithmetic(kind) & INTEGER_TYPES:
        return converted_to_whole(value)
    return dimensions(value) or value if kind == _DIMENSION_TYPE else value


def is_real_type(kind: str) -> bool:
    """Whether ``kind`` names a floating-point type."""
    return bool(_arithmetic(kind) & REAL_TYPES)


def _arithmetic(kind: str) -> set[str]:
    """The words of ``kind``; none for a template, because its arguments are other types."""
    return set() if "<" in kind else set(kind.split())


def _declarators(tokens: Span) -> int | None:
    """The index where the list of declared names starts; ``None`` if the statement is no declaration.

    A declaration begins with a type: words, then possibly ``*`` or ``&``, then a name that is followed by a value, an
    index, a comma or nothing.
    """
    index, words = 0, 0
    while index < len(tokens) and tokens[index].kind is Kind.IDENTIFIER:
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if (
            words
            and following in {"", "=", "(", "{", "[", ",", ":"}
            and tokens[index].text not in _QUALIFIERS
        ):
            return index if following != "=" or _text(tokens, index + 2) != "=" else None
        words += tokens[index].text not in {"const", "static", "constexpr"} or following == ""
        index += 1
        if following == "::":
            index += 1
        elif following == "<" and (end := template_end(tokens, index)) is not None:
            index = end + 1
        if _text(tokens, index) in {"*", "&"} and words:
            start = index
            while _text(tokens, index) in {"*", "&"} | _QUALIFIERS:
                index += 1
            name = index < len(tokens) and tokens[index].kind is Kind.IDENTIFIER
            after = _text(tokens, index + 1)
            return start if name and after in {"", "=", "(", "{", "[", ","} else None
    return None


def assignment(tokens: Span) -> tuple[str, str, Span] | None:
    """Name, operator and right side of ``name operator= right``; ``name++`` has no right side.

    ``*name`` is the variable to which ``name`` points.
    """
    if len(tokens) > 2 and tokens[-1].text == tokens[-2].text and tokens[-1].text in {"+", "-"}:  # noqa: PLR2004 - a name and ++
        return _target(tokens[:-2], tokens[-1].text, ())
    if len(tokens) > 2 and tokens[0].text == tokens[1].text and tokens[0].text in {"+", "-"}:  # noqa: PLR2004 - ++ and a name
        return _target(tokens[2:], tokens[0].text, ())
    equals = next((index for index, token in enumerate(tokens) if token.text in {"=", "(", "["}), 0)
    if equals == 0 or tokens[equals].text != "=" or _text(tokens, equals + 1) == "=":
        return None
    right = tokens[equals + 1 :]
    before = tokens[equals - 1].text
    if before in _OPERATORS:
        return _target(tokens[: equals - 1], before, right)
    if before in {"<", ">", "!", "&", "|", "^"}:
        name = tokens[0].text
        return None if before == "!" else (name, "", ())
    return _target(tokens[:equals], "", right)


def _target(tokens: Span, operator: str, right: Span) -> tuple[str, str, Span] | None:
    if tokens and tokens[0].text == "*" and len(tokens) == 2:  # noqa: PLR2004 - * and a name
        return f"*{tokens[1].text}", operator, right
    return (path(tokens), operator, right) if is_path(tokens) else None


def _text(tokens: Span, index: int) -> str:
    return tokens[index].text if index < len(tokens) else ""
