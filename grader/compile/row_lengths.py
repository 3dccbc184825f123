"""Which numbers a kernel uses as the length of an array's rows: ``k`` in ``a[row * k + i]``."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from grader.compile.cpp_outline import Item
from grader.compile.tokens import Kind, Token

_TIMES = "*"
_LONGEST = 200
"""Tokens of the longest index that is read, so that nested brackets cost little."""


def row_lengths(item: Item | None, names: Collection[str | None]) -> dict[str, frozenset[str]]:
    """The arrays, by each number of ``names`` that multiplies in their index and is the only one that does.

    Arrays and numbers are parameters of the kernel ``item``. An index that is computed elsewhere says nothing.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    if item is None or item.body is None:
        return {}
    code = item.tokens[item.body :]
    for number, token in enumerate(code[:-1]):
        if token.kind is Kind.IDENTIFIER and token.text in names and code[number + 1].text == "[":
            factors = _factors(_inside(code, number + 1)) & {name for name in names if name is not None}
            if len(factors) == 1:
                found[factors.pop()].add(token.text)
    return {number: frozenset(arrays) for number, arrays in found.items()}


def _inside(code: Sequence[Token], opening: int) -> Sequence[Token]:
    """The tokens in the brackets that open at ``opening``; none if they are too many."""
    depth = 0
    for index in range(opening, min(len(code), opening + _LONGEST)):
        depth += (code[index].text == "[") - (code[index].text == "]")
        if depth == 0:
            return code[opening + 1 : index]
    return ()


def _factors(index: Sequence[Token]) -> set[str]:
    """The identifiers beside a ``*``."""
    return {
        side.text
        for number, token in enumerate(index)
        if token.text == _TIMES
        for side in (*index[max(0, number - 1) : number], *index[number + 1 : number + 2])
        if side.kind is Kind.IDENTIFIER
    }
