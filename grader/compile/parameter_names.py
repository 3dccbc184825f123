"""What the names of parameters say: the lab's own name, an output, or the extent of an array."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from grader.compile.cpp_outline import Item
from grader.compile.parameter_types import Kind, kind_of
from grader.compile.tokens import Kind as TokenKind
from grader.compile.tokens import Token
from grader.model.kernel import Param

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_COUNTED = re.compile(r"(?:num|n)(rows|row|cols|col|columns|column)")
_FILLERS = frozenset(
    {
        *("d", "dev", "device", "g", "gpu", "global", "p", "ptr"),
        *("mat", "matrix", "vec", "vector", "arr", "array", "data"),
    }
)
_OUTPUTS = frozenset(
    {"out", "output", "outputs", "odata", "outdata", "result", "results", "res", "dst", "dest", "destination"}
)
_SIZES = frozenset(
    {"n", "size", "sz", "len", "length", "count", "num", "total", "elements", "elems", "nelems", "numel"}
)
_ROWS = frozenset({"rows", "row", "height", "h", "ny"})
_COLUMNS = frozenset({"cols", "col", "columns", "column", "width", "w", "nx"})
_COUNTING = frozenset({"num", "number", "n", "of", "size", "dim", "in"})
_BRACKETS = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}
_NO_NAMES = frozenset(
    {
        *(
            "const",
            "volatile",
            "unsigned",
            "signed",
            "int",
            "long",
            "short",
            "char",
            "float",
            "double",
            "bool",
            "void",
        )
    }
)


def declared_names(item: Item | None, kernel: str, count: int) -> tuple[str | None, ...]:
    """The names of the ``count`` parameters of ``kernel`` in its declaration; ``None`` for one without a name.

    All are ``None`` if the source does not show as many parameters, for instance because a macro declares them.
    """
    unnamed = (None,) * count
    if item is None:
        return unnamed
    parameters = _parameters(item.head, kernel)
    return tuple(map(_name, parameters)) if len(parameters) == count else unnamed


def _parameters(head: Sequence[Token], kernel: str) -> list[list[Token]]:
    """The tokens of each parameter."""
    starts = [
        index for index in range(len(head) - 1) if (head[index].text, head[index + 1].text) == (kernel, "(")
    ]
    if not starts:
        return []
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in head[starts[0] + 1 :]:
        before = depth
        depth += _BRACKETS.get(token.text, 0)
        if depth == 0:
            break
        if before == 0:
            continue
        if token.text == "," and depth == 1:
            parts.append([])
        else:
            parts[-1].append(token)
    return [] if parts == [[]] else parts


def _name(parameter: Sequence[Token]) -> str | None:
    """The last identifier of the declarator, before an array bound or a default value."""
    names: list[str] = []
    for token in parameter:
        if token.text in {"[", "="}:
            break
        if token.kind is TokenKind.IDENTIFIER and not token.text.startswith("__"):
            names.append(token.text)
    if not names or names[-1] in _NO_NAMES or len(parameter) == 1:
        return None
    return names[-1]


def words(name: str) -> list[str]:
    """The words of an identifier in lower case: ``numARows`` has ``num``, ``a`` and ``rows``."""
    return [word.lower() for word in _WORD.findall(name)]


def plain(name: str) -> str:
    """An identifier without case, underscores and words such as ``d_`` or ``dev`` that name no particular thing."""
    found = words(name)
    return "".join([word for word in found if word not in _FILLERS] or found)


def is_output(name: str | None) -> bool:
    """Whether ``name`` is that of an output: ``d_out``, ``result``."""
    return name is not None and not _OUTPUTS.isdisjoint(words(name))


def is_size(name: str | None) -> bool:
    """Whether ``name`` is that of a size: ``n``, ``numElements``, ``width``."""
    found = set() if name is None else set(words(name))
    return (
        bool(found & (_SIZES | _ROWS | _COLUMNS))
        and found <= _SIZES | _ROWS | _COLUMNS | _COUNTING | _FILLERS
    )


def same_names(names: Mapping[int, str | None], params: Mapping[int, Param]) -> dict[int, int]:
    """Pairs of a parameter and the only one of the lab's with the same name, by their indices."""
    plains = {index: plain(name) for index, name in names.items() if name is not None}
    own = Counter(plains.values())
    asked = Counter(plain(param.name) for param in params.values())
    by_name = {plain(param.name): index for index, param in params.items()}
    return {index: by_name[name] for index, name in plains.items() if own[name] == 1 and asked[name] == 1}


class Extents:
    """The lab's sizes by the extents of arrays that they are.

    ``named`` are two-dimensional arrays by further names, those of the kernel's own parameters.
    """

    def __init__(self, params: Sequence[Param], named: Mapping[str, Param]) -> None:
        self._sizes = {
            param.name: index for index, param in enumerate(params) if kind_of(param) is Kind.VALUE
        }
        self._plane = [param for param in params if len(param.dims) == 2]  # noqa: PLR2004 - rows and columns
        self._named = {plain(param.name): param for param in self._plane}
        self._named |= {plain(name): param for name, param in named.items()}
        self._named = {name: param for name, param in self._named.items() if param in self._plane}

    def size(self, name: str | None) -> int | None:
        """The index of the lab's size that ``name`` means: ``width``, ``numARows``; ``None`` if that is not certain."""
        if name is None:
            return None
        found = [match[1] if (match := _COUNTED.fullmatch(word)) else word for word in words(name)]
        axes = [word for word in found if word in _ROWS | _COLUMNS]
        others = [word for word in found if word not in {*axes, *_COUNTING, *_FILLERS}]
        if len(axes) != 1 or len(others) > 1:
            return None
        same = _ROWS if axes[0] in _ROWS else _COLUMNS
        axis = 0 if same is _ROWS else 1
        if others:
            array = self._named.get(others[0])
            return None if array is None else self._sizes.get(array.dims[axis])
        own = [index for size, index in self._sizes.items() if size in same]
        return own[0] if len(own) == 1 else self._only(param.dims[axis] for param in self._plane)

    def row_length(self, arrays: Iterable[str]) -> int | None:
        """The index of the size that is the length of the rows of all ``arrays``, by their names in the kernel."""
        planes = [self._named[plain(array)] for array in arrays if plain(array) in self._named]
        return self._only(param.dims[1] for param in planes)

    def _only(self, extents: Iterable[str]) -> int | None:
        """The size that all ``extents`` are."""
        different = set(extents)
        return self._sizes.get(different.pop()) if len(different) == 1 else None
