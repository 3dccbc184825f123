"""Evaluate launch geometry: text such as ``ceil(rows / block_x)`` to numbers, without ``eval``.

The text comes from students. It is parsed to a Python syntax tree, of which only integers, names, arithmetic operators,
comparisons (1 or 0), ``a if condition else b`` and five functions are accepted. Arithmetic is exact (``rows / block``
is a fraction until ``ceil``).
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from grader.messages import render
from grader.model.plan import Dim3, Geometry, LaunchShape
from grader.model.reason import Reason, reason
from grader.model.text import printable

MAX_LENGTH = 200
"""Length in characters of the longest accepted expression; it also bounds the cost of parsing."""

MAX_VALUE = 2**40
"""Largest magnitude of a value or an intermediate value."""

MAX_DIMENSIONS = 3

MAX_EXPONENT = 64
"""Largest magnitude of the exponent of a power."""


class GeometryError(ValueError):
    """An invalid expression. ``reason`` names it and the problem; the text of the error is that in English."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason
        super().__init__(render(reason))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise GeometryError(reason("exponent-invalid", exponent=float(exponent), limit=MAX_EXPONENT))
    if base == 0 and exponent < 0:
        raise GeometryError(reason("division-by-zero"))
    result: Fraction = base ** int(exponent)
    return result


def _log2(value: Fraction) -> Fraction:
    """The logarithm; between two whole numbers the middle of them, so that ``ceil`` and ``floor`` of it are exact."""
    if value <= 0:
        raise GeometryError(reason("logarithm-of-no-positive", value=float(value)))
    whole = 0
    while Fraction(2) ** whole > value:
        whole -= 1
    while Fraction(2) ** (whole + 1) <= value:
        whole += 1
    return Fraction(whole) if Fraction(2) ** whole == value else whole + Fraction(1, 2)


_OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda left, right: Fraction(left // right),
    ast.Mod: operator.mod,
    ast.Pow: _power,
}

_COMPARISONS: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

_FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "ceil": lambda value: Fraction(math.ceil(value)),
    "floor": lambda value: Fraction(math.floor(value)),
    "log2": _log2,
    "min": min,
    "max": max,
}

FUNCTION_NAMES = frozenset(_FUNCTIONS)
"""Names that are never sizes."""

_ARITY = {"ceil": (1, 1), "floor": (1, 1), "log2": (1, 1), "min": (2, 8), "max": (2, 8)}


def evaluate(text: str, names: Mapping[str, int]) -> int:
    """The whole number that ``text`` evaluates to. Raises: ``GeometryError``."""
    if len(text) > MAX_LENGTH:
        raise GeometryError(reason("expression-too-long", length=len(text), limit=MAX_LENGTH))
    try:
        tree = _parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise GeometryError(reason("expression-invalid", text=printable(text))) from None
    value = _value(tree.body, names)
    if value.denominator != 1:
        raise GeometryError(reason("expression-not-whole", text=text, value=float(value)))
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
            raise GeometryError(reason("expression-name-unknown", name=name, known=tuple(sorted(names))))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            result = -_value(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            result = _binary(type(op), _value(left, names), _value(right, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARISONS:
            result = Fraction(_COMPARISONS[type(op)](_value(left, names), _value(right, names)))
        case ast.IfExp(test=test, body=yes, orelse=no):
            result = _value(yes if _value(test, names) else no, names)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            result = _call(name, [_value(arg, names) for arg in args])
        case _:
            raise GeometryError(reason("expression-part-invalid", text=ast.unparse(node)))
    if abs(result) > MAX_VALUE:
        raise GeometryError(reason("expression-too-large", limit=MAX_VALUE))
    return result


def _binary(op: type[ast.operator], left: Fraction, right: Fraction) -> Fraction:
    if right == 0 and op in {ast.Div, ast.FloorDiv, ast.Mod}:
        raise GeometryError(reason("division-by-zero"))
    return _OPERATORS[op](left, right)


def _call(name: str, args: list[Fraction]) -> Fraction:
    fewest, most = _ARITY[name]
    if not fewest <= len(args) <= most:
        raise GeometryError(
            reason("function-arguments", function=name, fewest=fewest, most=most, found=len(args))
            if fewest < most
            else reason("function-takes-one", function=name, found=len(args))
        )
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
        raise GeometryError(
            reason("geometry-dimensions", part=part, found=len(expressions), most=MAX_DIMENSIONS)
        )
    return Dim3(**dict(zip("xyz", (_part(part, text, names) for text in expressions), strict=False)))


def _part(part: str, text: str, names: Mapping[str, int]) -> int:
    try:
        value = evaluate(text, names)
    except GeometryError as error:
        raise GeometryError(reason("in-geometry", part=part, problem=error.reason)) from None
    if value < 0:
        problem = reason("geometry-negative", text=text, value=value)
        raise GeometryError(reason("in-geometry", part=part, problem=problem))
    return value
