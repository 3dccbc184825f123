"""Operators on constants, with bounds: a student's constant costs the grader neither time nor memory."""

import ast
import operator
from collections.abc import Callable, Iterable
from math import prod
from typing import Any

import numpy as np

MAX_BITS = 256
"""Size in bits of the largest integer."""

MAX_ITEMS = 2**16
"""The most elements of an array, a tuple, a list or a text; constant memory holds 64 KiB."""

_NUMERIC = "biufc"

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}


class TooLargeError(ValueError):
    """A constant, or a step towards it, exceeds the bounds."""


def is_number(value: object) -> bool:
    """Whether ``value`` is a number of Python or NumPy."""
    return isinstance(value, int | float | complex) or (
        isinstance(value, np.generic) and value.dtype.kind in _NUMERIC
    )


def is_array(value: object) -> bool:
    """Whether ``value`` is an array of numbers."""
    return isinstance(value, np.ndarray) and value.dtype.kind in _NUMERIC


def bounded(value: object) -> object:
    """``value`` itself. Raises: ``TooLargeError`` if it exceeds the bounds."""
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise TooLargeError
    if isinstance(value, str | set | dict | range) and len(value) > MAX_ITEMS:
        raise TooLargeError
    if isinstance(value, tuple | list):
        _count(value, 0)
    if isinstance(value, np.ndarray) and value.size > MAX_ITEMS:
        raise TooLargeError
    return value


def _count(items: Iterable[object], counted: int) -> int:
    """Add the items at all depths: the same list may stand in many places. Raises: ``TooLargeError``."""
    for item in items:
        counted = _count(item, counted) if isinstance(item, tuple | list) else counted
        counted += 1
        if counted > MAX_ITEMS:
            raise TooLargeError
    return counted


def bounded_items(*shape: Any) -> None:
    """Check the number of elements of an array to be made. Raises: ``TooLargeError``, ``TypeError``."""
    extents = [operator.index(extent) for extent in shape]
    if prod(extents) > MAX_ITEMS or any(extent < 0 or extent > MAX_ITEMS for extent in extents):
        raise TooLargeError


def binary(op: ast.operator, left: Any, right: Any) -> object:
    """The result of a binary operator. Raises: ``TooLargeError``, ``TypeError`` and the errors of arithmetic."""
    if is_array(left) or is_array(right):
        bounded_items(*np.broadcast_shapes(np.shape(left), np.shape(right)))
    elif isinstance(op, ast.Mult) and isinstance(left, str | tuple | list):
        _check_repetition(left, right)
    elif isinstance(op, ast.Mult) and isinstance(right, str | tuple | list):
        _check_repetition(right, left)
    elif isinstance(op, ast.Add) and isinstance(left, str | tuple | list) and type(left) is type(right):
        pass
    elif not (is_number(left) and is_number(right)):
        raise TypeError
    elif isinstance(left, int) and isinstance(right, int):
        _check_integers(op, left, right)
    return bounded(_BINARY[type(op)](left, right))


def unary(op: ast.unaryop, operand: object) -> object:
    """The result of a unary operator. Raises: ``TypeError``."""
    if not (is_number(operand) or is_array(operand) or isinstance(op, ast.Not)):
        raise TypeError
    return _UNARY[type(op)](operand)


def compare(op: ast.cmpop, left: object, right: object) -> bool:
    """The result of a comparison. Raises: ``TypeError``."""
    return bool(_COMPARISONS[type(op)](left, right))


def power(base: object, exponent: object) -> object:
    """``base ** exponent``. Raises: as ``binary``."""
    return binary(ast.Pow(), base, exponent)


def _check_repetition(items: str | tuple[object, ...] | list[object], times: object) -> None:
    if not isinstance(times, int):
        raise TypeError
    if len(items) * times > MAX_ITEMS:
        raise TooLargeError


def _check_integers(op: ast.operator, left: int, right: int) -> None:
    if isinstance(op, ast.Pow) and right > 0 and left.bit_length() * right > 2 * MAX_BITS:
        raise TooLargeError
    if isinstance(op, ast.LShift) and right > MAX_BITS:
        raise TooLargeError
