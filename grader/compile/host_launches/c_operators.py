"""Types, numbers and operators of C++ in host code."""

import re
from collections.abc import Sequence
from fractions import Fraction

from grader.compile.host_launches.c_tokens import Span
from grader.compile.host_launches.values import (
    DIVISIONS,
    Expression,
    Number,
    Operation,
    call,
    converted_to_whole,
    is_bounded,
    is_real,
    number_of,
    operation,
    whole,
)
from grader.compile.tokens import Kind, Token

REAL_TYPES = frozenset({"float", "double"})
INTEGER_TYPES = frozenset(
    {"int", "unsigned", "signed", "long", "short", "char", "bool", "size_t", "uint", "ssize_t", "ptrdiff_t"}
    | {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
_SIZES = {
    "char": 1, "bool": 1, "uchar": 1, "short": 2, "half": 2, "__half": 2, "int": 4, "unsigned": 4, "signed": 4,
    "float": 4, "uint": 4, "double": 8, "long": 8, "size_t": 8, "float2": 8, "int2": 8, "float3": 12, "int3": 12,
    "float4": 16, "int4": 16, "double2": 16, "uint32_t": 4, "int32_t": 4, "uint64_t": 8, "int64_t": 8, "uint8_t": 1,
}  # fmt: skip
_POINTER_BYTES = 8
_QUALIFIERS = frozenset({"const", "constexpr", "volatile", "std", "::", "__restrict__"})
_NUMBER = re.compile(
    r"(?P<whole>0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)[uUlLzZ]*"
    r"|(?P<real>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)[fFlL]?"
)
_LARGEST_SHIFT = 40


class TooComplexError(Exception):
    """An expression that is not read, because it is nested too deeply or is not one of those described here."""


def size_of(words_: Sequence[str], *, pointer: bool) -> int | None:
    """The size in bytes of a type, by the words of its name."""
    if pointer:
        return _POINTER_BYTES
    known = [_SIZES[word] for word in words_ if word in _SIZES]
    return max(known) if known and set(words_) <= _SIZES.keys() | _QUALIFIERS else None


def is_type(tokens: Span) -> bool:
    """Whether ``tokens`` name an arithmetic type or a pointer."""
    names = [token.text for token in tokens if token.text not in _QUALIFIERS]
    bare = [name for name in names if name not in {"*", "&"}]
    pointer = len(bare) < len(names)
    if pointer and len(bare) == 1 and names[0] == bare[0] and tokens[0].kind is Kind.IDENTIFIER:
        return names[1:] == ["*"] * (len(names) - 1) or names[1:] == ["&"]
    return bool(bare) and all(name in REAL_TYPES | INTEGER_TYPES for name in bare)


def cast(kind: Span, value: Expression) -> Expression:
    """``value`` converted to the type ``kind``."""
    names = {token.text for token in kind}
    if "*" in names or "&" in names:
        return value
    if names & REAL_TYPES:
        return call("real", value)
    return converted_to_whole(value) if names & INTEGER_TYPES else value


def number(token: Token) -> Expression:
    """The value of a number. Raises: ``TooComplexError``."""
    match = _NUMBER.fullmatch(token.text.replace("'", ""))
    if match is None:
        raise TooComplexError
    digits = match["whole"]
    octal = digits is not None and digits.isdigit() and digits.startswith("0")
    try:
        value = Fraction(match["real"]) if digits is None else Fraction(int(digits, 8 if octal else 0))
    except ValueError:
        raise TooComplexError from None
    if not is_bounded(value):
        raise TooComplexError
    return Number(value, real=digits is None)


def prefixed(operator: str, value: Expression) -> Expression:
    """``value`` after a prefix operator; an address or what a pointer points to is the pointer itself."""
    match operator:
        case "-":
            return operation("-", whole(0), value)
        case "~":
            return operation("-", operation("-", whole(0), value), whole(1))
        case "!":
            return operation("==", value, whole(0))
        case _:
            return value


def combined(operator: str, left: Expression, right: Expression) -> Expression:
    """``left operator right``; shifts and masks by numbers are written as products and divisions.

    Raises: ``TooComplexError``.
    """
    known = number_of(right)
    if operator in {"<<", ">>"}:
        if known is None or not 0 <= known <= _LARGEST_SHIFT:
            raise TooComplexError
        return operation("*" if operator == "<<" else "//", left, whole(2 ** int(known)))
    if operator == "&":
        return _masked(left, right)
    if operator in {"|", "^"}:
        raise TooComplexError
    if operator == "/" and not (is_real(left) or is_real(right)):
        operator = "//"
    if operator in DIVISIONS and known == 0:
        raise TooComplexError
    return operation(operator, left, right)


def _masked(left: Expression, mask: Expression) -> Expression:
    """``left & mask`` for the masks that select low or high bits."""
    known = number_of(mask)
    if known is None:
        low, unit = _unit(mask)
    else:
        low, unit = known >= 0, whole(int(known) + 1 if known >= 0 else -int(known))
    size = number_of(unit)
    if size is None or size < 1 or size.denominator != 1 or int(size) & (int(size) - 1):
        raise TooComplexError
    if low:
        return operation("%", left, unit)
    return operation("*", operation("//", left, unit), unit)


def _unit(mask: Expression) -> tuple[bool, Expression]:
    """Whether ``mask`` selects low bits, as ``unit - 1`` does; ``~(unit - 1)`` and ``-unit`` select high ones."""
    match mask:
        case Operation(
            "-", Operation("-", Number(value=0), Operation("-", unit, Number(value=1))), Number(value=1)
        ):
            return False, unit
        case Operation("-", Number(value=0), unit):
            return False, unit
        case Operation("-", unit, Number(value=1)):
            return True, unit
    raise TooComplexError
