"""Integer constants that a student's files define, for use in launch directives.

``#define TILE 32``, ``constexpr int tile = 2 * WARP;``, in Python ``TILE = 32``. A name with two different values is
ignored. So is a name if its value needs more than whole numbers, other such names and arithmetic.
"""

import ast
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from grader.compile.tokens import Kind, Token, directive, tokenize
from grader.model.build import BuildRequest

_MAX_VALUE = 2**31 - 1
_MAX_EXPRESSION = 200
"""Length in characters of the longest expression that is evaluated."""

_MAX_CHAIN = 8
"""Length of the longest chain of names that are each defined by the next."""

_INTEGER = re.compile(r"\b(0[xX][0-9a-fA-F]+|0[bB][01]+|0|[1-9][0-9]*)[uUlL]*\b")
_EXPRESSION = re.compile(r"(?:[\w\s()+\-*%/]|<<|>>)+")
_DEFINITION = re.compile(r"([A-Za-z_]\w*)\s+(\w+|\(.*\))")
_CONSTANT = frozenset({"const", "constexpr"})
_BOUNDARIES = frozenset({";", "{", "}"})
_WORD = re.compile(r"[A-Za-z_]\w*")

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}

Definitions = Iterator[tuple[str, ast.expr]]
"""The names that a text defines, each with the expression of its value."""


def named_integers(
    request: BuildRequest, texts: Iterable[str], read: Callable[[str], Definitions]
) -> dict[str, int]:
    """The integer constants that ``read`` finds in ``texts``; a sweep macro has the value that the request sets.

    Names that the lab's kernels use for sizes are left out, because they stand for the sizes of each case.
    """
    params = [param for spec in request.kernels for param in spec.params]
    sizes = {word for param in params for text in (param.name, *param.dims) for word in _WORD.findall(text)}
    defined: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for name, expression in (named for text in texts for named in read(text)):
        defined[name].append(expression)
    known = dict(request.macros)
    for _ in range(_MAX_CHAIN):
        found = {
            name: values.pop()
            for name, expressions in defined.items()
            if name not in known and name not in sizes
            for values in [{_value(expression, known) for expression in expressions}]
            if len(values) == 1
        }
        known |= {name: value for name, value in found.items() if value is not None}
    return {name: value for name, value in known.items() if name not in sizes}


def _value(node: ast.expr, known: Mapping[str, int]) -> int | None:
    """The value of ``node``; ``None`` if it or an intermediate value is no whole number from 0 to ``_MAX_VALUE``."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            value = number
        case ast.Name(id=name) if name in known:
            value = known[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            first, second = _value(left, known), _value(right, known)
            if first is None or second is None or not _is_defined(op, second):
                return None
            value = _OPERATORS[type(op)](first, second)
        case _:
            return None
    return value if 0 <= value <= _MAX_VALUE else None


def _is_defined(op: ast.operator, right: int) -> bool:
    """Whether ``op`` is defined for the right operand ``right``."""
    if isinstance(op, ast.FloorDiv | ast.Mod):
        return right > 0
    return right < _MAX_VALUE.bit_length() or not isinstance(op, ast.LShift | ast.RShift)


def module_constants(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """Assignments to a single name that run at import, including those under ``if`` and ``try``, with the name."""
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield node, name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                yield node, name
            case ast.If() | ast.Try():
                for branch in (
                    node.body,
                    node.orelse,
                    *([node.finalbody] if isinstance(node, ast.Try) else []),
                ):
                    yield from module_constants(branch)
            case _:
                pass


def cuda_c_definitions(text: str) -> Definitions:
    """Macros and constants in CUDA C."""
    tokens = [token for token in tokenize(text) if token.kind is not Kind.COMMENT]
    for token in tokens:
        if token.kind is Kind.DIRECTIVE:
            word, rest = directive(token)
            match = _DEFINITION.fullmatch(rest) if word == "define" else None
            if match is not None:
                yield match[1], _c_expression(match[2])
    yield from _constants([token for token in tokens if token.kind is not Kind.DIRECTIVE])


def _constants(code: Sequence[Token]) -> Definitions:
    constant = False
    for number, (token, equals) in enumerate(pairwise(code)):
        constant = token.text not in _BOUNDARIES and (constant or token.text in _CONSTANT)
        if constant and token.kind is Kind.IDENTIFIER and equals.text == "=":
            until = takewhile(
                lambda each: each.text not in {";", ","}, code[number + 2 : number + 2 + _MAX_EXPRESSION]
            )
            yield token.text, _c_expression(" ".join(each.text for each in until))


def _c_expression(text: str) -> ast.expr:
    """A C expression as a Python syntax tree; the constant ``None`` if it is not understood.

    C divides whole numbers that are not negative as ``//`` does.
    """
    words = _INTEGER.sub(lambda found: str(int(found[1], 0)), text)
    for c_operator, python_operator in (("/", "//"), ("< <", "<<"), ("> >", ">>")):
        words = words.replace(c_operator, python_operator)
    try:
        if _EXPRESSION.fullmatch(words) and len(words) <= _MAX_EXPRESSION:
            return ast.parse(words.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return ast.Constant(None)


def python_definitions(text: str) -> Definitions:
    """Constants of a Python module."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node, name in module_constants(tree.body):
        if node.value is not None:
            yield name, node.value
