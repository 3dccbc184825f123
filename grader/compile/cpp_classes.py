"""Classes in the outline of a C++ file: their names, and the member functions that kernels can or cannot call."""

from collections.abc import Iterator
from itertools import pairwise

from grader.compile.cpp_outline import Item, Shape, outside_brackets, scan, template_header
from grader.compile.tokens import Kind, Token

_WORDS = frozenset({"class", "struct", "union"})
_ACCESS = frozenset({"public", "protected", "private"})


def defines_class(item: Item) -> bool:
    """Whether ``item`` is the definition of a class."""
    return bool(_head(item))


def class_name(item: Item) -> str | None:
    """The name of the class that ``item`` defines; ``None`` if it defines none, or one without a name."""
    head = _head(item)
    base = next((index for index, token in enumerate(head) if token.text == ":"), len(head))
    names = [token.text for token in head[:base] if token.kind is Kind.IDENTIFIER and token.text != "final"]
    return names[-1] if names and names[-1] not in _WORDS else None


def host_members(item: Item, markers: frozenset[str]) -> Iterator[Item]:
    """The member functions that only host code can call, of the class that ``item`` defines and those inside it.

    They have no CUDA execution space specifier; ``markers`` are the words that stand for one.
    """
    return (member for member in _undecorated(item, markers) if not member.constexpr)


def constexpr_members(item: Item, markers: frozenset[str]) -> Iterator[Item]:
    """The ``constexpr`` member functions without a specifier, which nvcc lets kernels call."""
    return (member for member in _undecorated(item, markers) if member.constexpr)


def _undecorated(item: Item, markers: frozenset[str]) -> Iterator[Item]:
    for member in scan(_body(item), markers):
        if defines_class(member):
            yield from _undecorated(member, markers)
        elif not member.device and _is_function(member):
            yield member


def _body(item: Item) -> list[Token]:
    """What a class has between its braces, without ``public:`` and the like; empty for any other item."""
    head = _head(item)
    if not head:
        return []
    end = max((index for index, token in enumerate(item.tokens) if token.text == "}"), default=0)
    body = item.tokens[template_header(item.tokens) + len(head) + 1 : end]
    labels = {
        index
        for index, (word, colon) in enumerate(pairwise(body))
        if word.text in _ACCESS and colon.text == ":"
    }
    return [token for index, token in enumerate(body) if not labels.intersection({index, index - 1})]


def _head(item: Item) -> tuple[Token, ...]:
    """What precedes the brace of a class, without a template header; empty if ``item`` defines no class."""
    outer = outside_brackets(item.tokens)
    before = outer[: outer.index("{")] if "{" in outer else []
    if item.shape is not Shape.OTHER or not _WORDS.intersection(before) or "=" in before:
        return ()
    start = template_header(item.tokens)
    end = next(index for index in range(start, len(item.tokens)) if item.tokens[index].text == "{")
    return item.tokens[start:end]


def _is_function(member: Item) -> bool:
    words = [token.text for token in member.tokens]
    if "(" not in words or words[words.index("(") + 1] == "*":
        return False  # no function, or a pointer to one
    return member.shape is not Shape.OTHER or (words[0] == "friend" and "class" not in words[:2])
