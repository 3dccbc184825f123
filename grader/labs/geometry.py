"""Evaluate launch geometry: text such as ``ceil(rows / block_x)`` to numbers, without ``eval``.

The text comes from students. It is parsed to a Python syntax tree, of which only integers, names, arithmetic operators
and three functions are accepted. Arithmetic is exact (``rows / block`` is a fraction until ``ceil``).
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from grader.model.plan import Dim3, Geometry, LaunchShape

MAX_LENGTH = 200
"""Length in characters of the longest accepted expression; it also bounds the cost of parsing."""

MAX_VALUE = 2**40
"""Largest magnitude of a value or an intermediate value."""

MAX_DIMENSIONS = 3

_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda left, right: Fraction(left // right),
    ast.Mod: operator.mod,
}

_FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "ceil": lambda value: Fraction(math.ceil(value)),
    "min": min,
    "max": max,
}

FUNCTION_NAMES = frozenset(_FUNCTIONS)
"""Names that are never sizes."""

_ARITY = {"ceil": (1, 1), "min": (2, 8), "max": (2, 8)}


class GeometryError(ValueError):
    """An invalid expression; the text names it and the reason."""


def evaluate(text: str, names: Mapping[str, int]) -> int:
    """The whole number that ``text`` evaluates to. Raises: ``GeometryError``."""
    if len(text) > MAX_LENGTH:
        msg = f"an expression of {len(text)} characters is too long; use at most {MAX_LENGTH}"
        raise GeometryError(msg)
    try:
        tree = _parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        msg = f"{text!r} is not an expression; use integers, size names, + - * / // %, ceil, min, max"
        raise GeometryError(msg) from None
    value = _value(tree.body, names)
    if value.denominator != 1:
        msg = f"{text!r} is {float(value):g}, not a whole number; use ceil(...) or //"
        raise GeometryError(msg)
    return int(value)


@lru_cache(maxsize=1024)
def _parse(text: str) -> ast.Expression:
    """The syntax tree of ``text``. Labs evaluate the same few expressions for every case."""
    return ast.parse(text, mode="eval")


def _value(node: ast.expr, names: Mapping[str, int]) -> Fraction:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            result = Fraction(number)
        case ast.Name(id=name) if name in names:
            result = Fraction(names[name])
        case ast.Name(id=name):
            msg = f"unknown name {name!r}; known here: {', '.join(sorted(names))}"
            raise GeometryError(msg)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            result = -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            result = _binary(type(op), _value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            result = _call(name, [_value(arg, names) for arg in args])
        case _:
            msg = f"{ast.unparse(node)!r} is not allowed here; use integers, size names, + - * / // %, ceil, min, max"
            raise GeometryError(msg)
    if abs(result) > MAX_VALUE:
        msg = f"a value above {MAX_VALUE} in the expression; use smaller numbers"
        raise GeometryError(msg)
    return result


def _binary(op: type[ast.operator], left: Fraction, right: Fraction) -> Fraction:
    if right == 0 and op in {ast.Div, ast.FloorDiv, ast.Mod}:
        msg = "a division by zero in the expression; check the divisor"
        raise GeometryError(msg)
    return _OPERATORS[op](left, right)


def _call(name: str, args: list[Fraction]) -> Fraction:
    fewest, most = _ARITY[name]
    if not fewest <= len(args) <= most:
        msg = f"{name} takes {fewest if fewest == most else f'{fewest} to {most}'} arguments, not {len(args)}"
        raise GeometryError(msg)
    return _FUNCTIONS[name](*args)


def launch_shape(geometry: Geometry, sizes: Mapping[str, int]) -> LaunchShape:
    """Evaluate ``geometry`` for one case. Raises: ``GeometryError`` with the part and the reason.

    Extents must not be negative. The engine checks whether a device can launch the shape.
    """
    names = {**sizes, **geometry.constants}
    block = _dimensions("block", geometry.block, names)
    known = {
        **names,
        "block": block.size,
        "block_x": block.x,
        "block_y": block.y,
        "block_z": block.z,
    }
    return LaunchShape(
        grid=_dimensions("grid", geometry.grid, known),
        block=block,
        shared_bytes=_part("shared", geometry.shared, known),
    )


def _dimensions(part: str, expressions: tuple[str, ...], names: Mapping[str, int]) -> Dim3:
    if not 1 <= len(expressions) <= MAX_DIMENSIONS:
        msg = f"{part} has {len(expressions)} dimensions; write 1 to {MAX_DIMENSIONS}"
        raise GeometryError(msg)
    return Dim3(**dict(zip("xyz", (_part(part, text, names) for text in expressions), strict=False)))


def _part(part: str, text: str, names: Mapping[str, int]) -> int:
    try:
        value = evaluate(text, names)
    except GeometryError as error:
        msg = f"{part}: {error}"
        raise GeometryError(msg) from None
    if value < 0:
        msg = f"{part}: {text!r} is {value}, below zero"
        raise GeometryError(msg)
    return value
