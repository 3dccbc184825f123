"""Read Python expressions of host code as values."""

import ast
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction

from grader.compile.host_launches.c_operators import TooComplexError, combined, prefixed
from grader.compile.host_launches.values import (
    DIVISIONS,
    OPERATORS,
    Call,
    Expression,
    Extent,
    Listing,
    Number,
    Unreadable,
    call,
    conditional,
    is_bounded,
    number_of,
    operation,
    value_of,
    whole,
)

_DEEPEST = 40
_LARGEST_POWER = 64
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&",
}  # fmt: skip
_PREFIXES = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "!"}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_ROUNDING = {"ceil": "ceil", "floor": "whole", "trunc": "whole", "int": "whole"}
_EXTREMES = {"min": "min", "max": "max", "minimum": "min", "maximum": "max"}
_NUMBER_TYPES = frozenset({"float", "float32", "float64", "int8", "int16", "int32", "int64", "int_"})
_UNSIGNED_TYPES = frozenset({"uint8", "uint16", "uint32", "uint64"})
_COPIES = frozenset(
    {"to_device", "device_array_like", "pinned_array_like", "mapped_array_like", "zeros_like", "ones_like"}
    | {"empty_like", "full_like", "ascontiguousarray", "asarray", "array", "copy", "as_cuda_array"}
)
"""Functions that make an array of the shape of their first argument."""

_METHODS_OF_COPIES = frozenset({"copy", "astype", "copy_to_host", "view", "get"})
_MAKERS = frozenset({"zeros", "ones", "empty", "full", "device_array", "pinned_array", "arange", "random"})
"""Functions that make an array of the shape that their first argument gives."""

_SHAPE_MAKERS = frozenset({"rand", "randn"})
_SIZED = frozenset({"normal", "uniform", "randint", "integers", "standard_normal", "choice"})
"""Functions of random numbers with the shape in ``size``."""


_Read = Callable[[ast.expr], Expression]


class PythonScope(ABC):
    """What names and calls stand for where an expression is read."""

    @abstractmethod
    def value(self, name: str, line: int) -> Expression:
        """The value of a variable."""

    @abstractmethod
    def called(self, name: str, arguments: Sequence[Expression], node: ast.Call) -> Expression:
        """The value of a call of a function in the student's files."""

    @abstractmethod
    def launched(self, node: ast.Call) -> None:
        """Record the launch that ``node`` is, if it is one."""


def read_python_expression(node: ast.expr, scope: PythonScope, depth: int = 0) -> Expression:
    """The value of ``node``; what is not understood is ``Unreadable``."""
    if depth > _DEEPEST:
        return Unreadable("...", node.lineno)

    def read(inner: ast.expr) -> Expression:
        return read_python_expression(inner, scope, depth + 1)

    found: Expression | None
    match node:
        case ast.Constant(value=bool() | int() | float() as number):
            found = _number(number)
        case ast.Name(id=name):
            found = scope.value(name, node.lineno)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            found = Listing(tuple(map(read, items)))
        case ast.Attribute(value=array, attr="size"):
            found = Extent(read(array), None)
        case ast.Subscript(value=value, slice=index):
            found = _item(value, read(index), read)
        case ast.Call():
            scope.launched(node)
            found = _called(node, scope, read)
        case _:
            found = _operation(node, read)
    return Unreadable(_text(node), node.lineno) if found is None else found


def _operation(node: ast.expr, read: _Read) -> Expression | None:
    """The value of an operator, a comparison or a conditional expression."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, read(left), read(right))
        case ast.UnaryOp(op=op, operand=operand):
            return prefixed(_PREFIXES[type(op)], read(operand))
        case ast.Compare(left=left, ops=[comparison], comparators=[right]):
            operator = _COMPARISONS.get(type(comparison))
            return None if operator is None else operation(operator, read(left), read(right))
        case ast.IfExp(test=test, body=yes, orelse=no):
            return conditional(read(test), read(yes), read(no))
    return None


def _text(node: ast.expr) -> str:
    try:
        return ast.unparse(node)
    except RecursionError:
        return "..."


def _number(value: object) -> Expression | None:
    """A number in the source; ``None`` for one that is infinite, too large, or has too many digits."""
    if not isinstance(value, float):
        number = Fraction(int(value)) if isinstance(value, int) else None
    else:
        number = Fraction(str(value)) if math.isfinite(value) else None
    return (
        Number(number, real=isinstance(value, float)) if number is not None and is_bounded(number) else None
    )


def _binary(op: ast.operator, left: Expression, right: Expression) -> Expression | None:
    if isinstance(op, ast.Pow):
        return _power(number_of(left), number_of(right))
    operator = _OPERATORS.get(type(op))
    if operator is None or (operator in DIVISIONS and number_of(right) == 0):
        return None
    if operator not in OPERATORS:
        try:
            return combined(operator, left, right)
        except TooComplexError:
            return None
    return operation(operator, left, right)


def _power(base: Fraction | None, exponent: Fraction | None) -> Expression | None:
    """``base ** exponent`` if both are small whole numbers."""
    if base is None or exponent is None or exponent not in range(_LARGEST_POWER + 1):
        return None
    value = Fraction(base ** int(exponent))
    return Number(value) if base.denominator == 1 and is_bounded(value) else None


def _item(value: ast.expr, index: Expression, read: _Read) -> Expression | None:
    number = number_of(index)
    if number is None or number.denominator != 1 or number < 0:
        return None
    if isinstance(value, ast.Attribute) and value.attr == "shape":
        return Extent(read(value.value), int(number))
    listed = value_of(read(value))
    items = listed.items if isinstance(listed, Listing) else ()
    return items[int(number)] if number < len(items) else None


def _called(node: ast.Call, scope: PythonScope, read: _Read) -> Expression | None:
    """The value of a call. The shapes of arrays and a few functions of numbers are known."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    arguments = [read(argument) for argument in node.args if not isinstance(argument, ast.Starred)]
    for keyword in node.keywords:
        read(keyword.value)
    if isinstance(node.func, ast.Attribute) and name in _METHODS_OF_COPIES:
        return read(node.func.value)
    if len(arguments) == 1 and name == "len":
        return _length(node.args[0], arguments[0])
    if len(arguments) == 1 and name in _ROUNDING:
        return call(_ROUNDING[name], arguments[0])
    if len(arguments) == 1 and name in _NUMBER_TYPES | _UNSIGNED_TYPES:
        return arguments[0]
    if arguments and name in _EXTREMES:
        return call(_EXTREMES[name], *arguments)
    return _array(name, arguments, node, read) or scope.called(name, arguments, node)


def _length(node: ast.expr, value: Expression) -> Expression:
    if isinstance(node, ast.Attribute) and node.attr == "argv":
        return whole(1)  # a program that is started without arguments
    listed = value_of(value)
    return whole(len(listed.items)) if isinstance(listed, Listing) else Extent(value, 0)


def _array(name: str, arguments: Sequence[Expression], node: ast.Call, read: _Read) -> Expression | None:
    """The array that a call makes, if it makes one of a known shape."""
    sizes = [keyword.value for keyword in node.keywords if keyword.arg in {"size", "shape"}]
    if name in _COPIES and arguments:
        return arguments[0]
    if name in _SHAPE_MAKERS or (name == "reshape" and arguments):
        return _of_shape(Listing(tuple(arguments)))
    if sizes and name in _SIZED | _MAKERS:
        return _of_shape(read(sizes[0]))
    if name in _MAKERS and arguments:
        return _of_shape(arguments[0])
    return None


def _of_shape(shape: Expression) -> Expression:
    extents = value_of(shape)
    return Call("array", extents.items if isinstance(extents, Listing) else (shape,))
