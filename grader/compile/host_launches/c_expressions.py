"""Read C++ expressions of host code as values."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from grader.compile.host_launches.c_operators import (
    TooComplexError,
    cast,
    combined,
    is_type,
    number,
    prefixed,
    size_of,
)
from grader.compile.host_launches.c_tokens import (
    Span,
    closing,
    is_path,
    path,
    spelled,
    split,
    template_end,
    words,
)
from grader.compile.host_launches.values import (
    Dimensions,
    Expression,
    Listing,
    Unreadable,
    Variable,
    call,
    conditional,
    dimensions,
    number_of,
    value_of,
    whole,
)
from grader.compile.tokens import Kind, Token

_DIMENSION_TYPES = frozenset({"dim3", "uint3"})
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_FUNCTIONS = {
    **dict.fromkeys(("ceil", "ceilf"), ("ceil", 1)),
    **dict.fromkeys(("floor", "floorf", "trunc", "truncf"), ("whole", 1)),
    **dict.fromkeys(("min", "fmin", "fminf"), ("min", 2)),
    **dict.fromkeys(("max", "fmax", "fmaxf"), ("max", 2)),
}
"""Functions that are known, with the number of their arguments."""

_BINDING = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_PREFIXES = frozenset("+-!~&*")
_DEEPEST = 40


class Scope(ABC):
    """What names and calls stand for where an expression is read."""

    @abstractmethod
    def value(self, name: str, line: int) -> Expression:
        """The value of a variable, macro or member."""

    @abstractmethod
    def called(
        self, name: str, templates: Sequence[Span], arguments: Sequence[Span], line: int
    ) -> Expression:
        """The value of a function call, which may change variables."""


def read_expression(tokens: Span, scope: Scope) -> Expression:
    """The value of ``tokens``; what is not understood is ``Unreadable``."""
    if not tokens:
        return Unreadable("")
    reader = _Reader(tokens, scope)
    try:
        found = reader.ternary(0)
        if reader.index == len(tokens):
            return found
    except TooComplexError:
        pass
    return Unreadable(spelled(tokens), tokens[0].line)


class _Reader:
    """One pass over the tokens of an expression, by binding strength of the operators."""

    def __init__(self, tokens: Span, scope: Scope) -> None:
        self._tokens = tokens
        self._scope = scope
        self.index = 0

    def ternary(self, depth: int) -> Expression:
        """An expression with ``?:`` or one that binds more strongly."""
        if depth > _DEEPEST:
            raise TooComplexError
        condition = self._binary(1, depth)
        if self._text() != "?":
            return condition
        self.index += 1
        yes = self.ternary(depth + 1)
        self._expect(":")
        return conditional(condition, yes, self.ternary(depth + 1))

    def _binary(self, strength: int, depth: int) -> Expression:
        left = self._unary(depth + 1)
        while True:
            operator, length = self._operator()
            binding = _BINDING.get(operator, 0)
            if binding < strength:
                return left
            self.index += length
            left = combined(operator, left, self._binary(binding + 1, depth + 1))

    def _operator(self) -> tuple[str, int]:
        """The operator here and how many tokens it has."""
        first = self._text()
        pair = first + self._text(1) if self._touching() else first
        return (pair, 2) if pair in _BINDING and pair != first else (first, 1)

    def _touching(self) -> bool:
        here = self._tokens[self.index : self.index + 2]
        return len(here) == 2 and here[0].end == here[1].start  # noqa: PLR2004 - a pair of tokens

    def _unary(self, depth: int) -> Expression:
        if depth > _DEEPEST:
            raise TooComplexError
        text = self._text()
        if text == "*" and self.index + 1 < len(self._tokens):
            pointer = self._tokens[self.index + 1]
            if pointer.kind is Kind.IDENTIFIER and self._text(2) not in {"(", "[", ".", "->", "::"}:
                self.index += 2
                return self._scope.value(f"*{pointer.text}", pointer.line)
        if text in _PREFIXES:
            self.index += 1
            return prefixed(text, self._unary(depth + 1))
        if text == "sizeof":
            return self._sizeof()
        if text == "(" and (kind := self._cast()) is not None:
            return cast(kind, self._unary(depth + 1))
        return self._members(self._primary(depth))

    def _cast(self) -> Span | None:
        """The type of a cast in parentheses, which is skipped; ``None`` if the parentheses hold an expression."""
        end = closing(self._tokens, self.index)
        inside = self._tokens[self.index + 1 : end]
        if not is_type(inside) or end + 1 >= len(self._tokens):
            return None
        self.index = end + 1
        return inside

    def _sizeof(self) -> Expression:
        line = self._tokens[self.index].line
        self.index += 1
        if self._text() != "(":
            raise TooComplexError
        end = closing(self._tokens, self.index)
        inside = self._tokens[self.index + 1 : end]
        self.index = end + 1
        names = list(words(inside))
        pointer = any(token.text == "*" for token in inside)
        if len(inside) == 1:
            value = self._scope.value(inside[0].text, line)
            if isinstance(value, Variable) and value.type:
                names, pointer = value.type.replace("*", "").split(), "*" in value.type
        size = size_of(names, pointer=pointer)
        return Unreadable(f"sizeof({spelled(inside)})", line) if size is None else whole(size)

    def _primary(self, depth: int) -> Expression:
        if self.index >= len(self._tokens):
            raise TooComplexError
        token = self._tokens[self.index]
        if token.kind is Kind.NUMBER:
            self.index += 1
            return number(token)
        if token.text == "(":
            end = closing(self._tokens, self.index)
            self.index += 1
            value = self.ternary(depth + 1)
            if self.index != end:
                raise TooComplexError
            self.index = end + 1
            return value
        if token.text == "{":
            end = closing(self._tokens, self.index)
            parts = split(self._tokens[self.index + 1 : end])
            self.index = end + 1
            return Listing(tuple(read_expression(part, self._scope) for part in parts))
        if token.kind is Kind.IDENTIFIER:
            return self._named()
        if token.kind is Kind.STRING:
            self.index += 1
            return Unreadable(token.text, token.line)
        raise TooComplexError

    def _named(self) -> Expression:
        """A variable, a call, or a conversion written as a call."""
        start = self.index
        while self._text(1) in {"::", ".", "->"}:
            self.index += 2
        name = self._tokens[start : self.index + 1]
        token = self._tokens[min(self.index, len(self._tokens) - 1)]
        self.index += 1
        templates: list[Span] = []
        end = template_end(self._tokens, self.index) if self._text() == "<" else None
        if end is not None and end + 1 < len(self._tokens) and self._tokens[end + 1].text in {"(", "{"}:
            templates = split(self._tokens[self.index + 1 : end])
            self.index = end + 1
        if self._text() in {"(", "{"}:
            end = closing(self._tokens, self.index)
            arguments = split(self._tokens[self.index + 1 : end])
            self.index = end + 1
            return self._call(name, token, templates, arguments)
        if not is_path(name):
            return self._scope.value(token.text, token.line)
        return self._scope.value(path(name), token.line)

    def _call(self, name: Span, token: Token, templates: list[Span], arguments: list[Span]) -> Expression:
        """The value of a call. Conversions and rounding are known, a method is not followed."""
        function, count = token.text, len(arguments)
        if function in _CASTS and len(templates) == count == 1:
            return cast(templates[0], read_expression(arguments[0], self._scope))
        if len(name) > 1 and name[-2].text != "::":
            return self._method(name, token, arguments)
        if function in _DIMENSION_TYPES:
            return dimensions(Listing(self._values(arguments))) or Dimensions(whole(1))
        if is_type([token]) and count == 1:
            return cast([token], read_expression(arguments[0], self._scope))
        if _FUNCTIONS.get(function, ("", 0))[1] == count > 0:
            return call(_FUNCTIONS[function][0], *self._values(arguments))
        return self._scope.called(function, templates, arguments, token.line)

    def _method(self, name: Span, token: Token, arguments: list[Span]) -> Expression:
        """The value of a call of a method. Only the number of elements with which a vector is made is known."""
        self._values(arguments)
        text = f"{spelled(name)}({', '.join(map(spelled, arguments))})"
        vector = self._scope.value(path(name[:-2]), token.line) if is_path(name) else None
        if token.text != "size" or not isinstance(vector, Variable) or "vector" not in vector.type:
            return Unreadable(text, token.line)
        made = value_of(vector)
        length = made.items[0] if isinstance(made, Listing) and made.items else vector.definition
        return Unreadable(text, token.line) if length is None else length

    def _values(self, arguments: list[Span]) -> tuple[Expression, ...]:
        return tuple(read_expression(each, self._scope) for each in arguments)

    def _members(self, value: Expression) -> Expression:
        """``value`` with a following index, member or increment, none of which is followed."""
        while self._text() in {"[", ".", "->", "+", "-"}:
            text = self._text()
            if text in {"+", "-"}:
                if self._text(1) != text or not self._touching() or self.index + 2 < len(self._tokens):
                    return value
                self.index += 2
                continue
            member = self._text(1)
            if text == "[":
                end = closing(self._tokens, self.index)
                inside = read_expression(self._tokens[self.index + 1 : end], self._scope)
                value = _element(value, inside, self._tokens[self.index].line)
                self.index = end + 1
                continue
            self.index += 2
            value = _member(value, member)
        return value

    def _text(self, ahead: int = 0) -> str:
        index = self.index + ahead
        return self._tokens[index].text if index < len(self._tokens) else ""

    def _expect(self, text: str) -> None:
        if self._text() != text:
            raise TooComplexError
        self.index += 1


def _member(value: Expression, name: str) -> Expression:
    extents = value_of(value)
    if isinstance(extents, Dimensions) and name in {"x", "y", "z"}:
        found: Expression = getattr(extents, name)
        return found
    raise TooComplexError


def _element(value: Expression, index: Expression, line: int) -> Expression:
    """An element of a list in the source; that of the first round if a loop changes the index."""
    name = f"{value.name}[...]" if isinstance(value, Variable) else "[...]"
    changes = isinstance(index, Variable) and index.repeated
    first = index.definition if isinstance(index, Variable) and changes else index
    items, number = value_of(value), None if first is None else number_of(first)
    if not isinstance(items, Listing) or number is None or not 0 <= number < len(items.items):
        return Unreadable(name, line)
    item = items.items[int(number)]
    return Variable(name, item, line=line, repeated=True) if changes else item
