"""The value of a constant expression: literals, names of constants, arithmetic, and a few functions of libraries."""

import ast
import builtins
from collections.abc import Callable
from typing import NoReturn, Protocol

import numpy as np

from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.python import arithmetic, calls, decorators, libraries
from grader.compile.python.scope import Scope
from grader.compile.python.values import Function, Jit, Library, NotConstantError, OwnModule, Unavailable
from grader.model.location import SourceLocation
from grader.model.reason import reason

MAX_DEPTH = 60
"""Depth of the deepest expression that is evaluated."""


LAMBDA = "lambda_function"
"""The name of a function that a ``lambda`` makes."""


Value = Callable[[ast.expr], object]
"""Evaluates a part of an expression."""


class Names(Protocol):
    """Where the names of an expression get their values."""

    @property
    def file(self) -> str:
        """The file of the expression."""

    def lookup(self, name: str) -> object:
        """What ``name`` stands for. Raises: ``KeyError``."""


def evaluate(node: ast.expr, names: Names) -> object:
    """The value of ``node``: a constant, a ``Library``, a ``Function`` or a ``Jit``. Raises: ``NotConstantError``."""
    with np.errstate(all="ignore"):
        return _Evaluation(names).value(node, MAX_DEPTH)


class _Evaluation:
    def __init__(self, names: Names) -> None:
        self._names = names

    def value(self, node: ast.expr, depth: int) -> object:
        if depth == 0:
            self._fail("python-too-large", node)
        try:
            return self._value(node, lambda inner: self.value(inner, depth - 1))
        except NotConstantError:
            raise
        except arithmetic.TooLargeError:
            self._fail("python-too-large", node)
        except (ArithmeticError, MemoryError) as error:
            self._fail("python-arithmetic", node, type(error).__name__)
        except (TypeError, ValueError, LookupError, AttributeError, NotImplementedError):
            self._fail("python-computed", node)

    def _value(self, node: ast.expr, value: Value) -> object:  # noqa: PLR0911 - one return per kind of expression
        match node:
            case ast.Constant():
                return arithmetic.bounded(node.value)
            case ast.Name():
                return self._name(node)
            case ast.Attribute():
                return self._attribute(value(node.value), node)
            case ast.Subscript():
                return arithmetic.bounded(calls.item(value(node.value), value(node.slice)))
            case ast.Call():
                return self._call(node, value)
            case ast.Lambda() if isinstance(self._names, Scope):
                return Function(_definition(node), self._names)
            case ast.Tuple() | ast.List() | ast.Set() | ast.Dict() | ast.Slice():
                return _collection(node, value)
            case ast.UnaryOp() | ast.BinOp() | ast.BoolOp() | ast.Compare() | ast.IfExp():
                return _operation(node, value)
        raise TypeError

    def _name(self, node: ast.Name) -> object:
        try:
            found = self._names.lookup(node.id)
        except KeyError:
            if node.id not in calls.BUILTINS:
                self._fail("python-computed" if hasattr(builtins, node.id) else "python-name-unknown", node)
            return calls.BUILTINS[node.id]
        if isinstance(found, Unavailable):
            raise NotConstantError(found.problem)
        return found

    def _attribute(self, owner: object, node: ast.Attribute) -> object:
        if isinstance(owner, Library):
            try:
                return libraries.member(owner, node.attr)
            except KeyError:
                self._fail("python-host-function", node)
        if isinstance(owner, OwnModule):
            found = owner.scope.lookup(node.attr)
            if isinstance(found, Unavailable):
                raise NotConstantError(found.problem)
            return found
        return calls.attribute(owner, node.attr)

    def _call(self, node: ast.Call, value: Value) -> object:
        if isinstance(node.func, ast.Attribute):
            owner = value(node.func.value)
            if not isinstance(owner, Library | OwnModule):
                return calls.call_method(owner, node.func.attr, *self._arguments(node, value))
            function = self._attribute(owner, node.func)
        else:
            function = value(node.func)
        if decorators.is_jit(function):
            return decorators.called(function, node, self._names, value)
        if isinstance(function, Jit):
            (decorated,) = (self._function(argument, value) for argument in node.args)
            return decorated.decorated(function)
        return calls.call(function, *self._arguments(node, value))

    def _function(self, node: ast.expr, value: Value) -> Function:
        found = value(node)
        if not isinstance(found, Function):
            self._fail("python-computed", node)
        return found

    def _arguments(self, node: ast.Call, value: Value) -> tuple[list[object], dict[str, object]]:
        options = {option.arg: value(option.value) for option in node.keywords if option.arg is not None}
        if len(options) < len(node.keywords):
            self._fail("python-computed", node)
        return [value(argument) for argument in node.args], options

    def _fail(self, code: str, node: ast.expr, error: str | None = None) -> NoReturn:
        location = SourceLocation(file=self._names.file, line=node.lineno)
        source = clean(_source(node), MAX_QUOTED)
        params = {"source": source} if error is None else {"source": source, "error": error}
        raise NotConstantError(reason(code, location=location, **params)) from None


def _definition(node: ast.Lambda) -> ast.FunctionDef:
    """A ``lambda`` as a ``def``."""
    result = ast.copy_location(ast.Return(node.body), node.body)
    function = ast.FunctionDef(name=LAMBDA, args=node.args, body=[result], decorator_list=[])
    return ast.copy_location(function, node)


def _collection(node: ast.Tuple | ast.List | ast.Set | ast.Dict | ast.Slice, value: Value) -> object:
    match node:
        case ast.Tuple():
            return arithmetic.bounded(tuple(value(item) for item in node.elts))
        case ast.List():
            return arithmetic.bounded([value(item) for item in node.elts])
        case ast.Set():
            return {value(item) for item in node.elts}
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {value(key): value(item) for key, item in pairs if key is not None}
        case ast.Slice():
            parts = (node.lower, node.upper, node.step)
            return slice(*(None if part is None else value(part) for part in parts))


def _operation(node: ast.UnaryOp | ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp, value: Value) -> object:
    match node:
        case ast.UnaryOp():
            return arithmetic.unary(node.op, value(node.operand))
        case ast.BinOp():
            return arithmetic.binary(node.op, value(node.left), value(node.right))
        case ast.BoolOp():
            return _connected(node, value)
        case ast.Compare():
            operands = [value(node.left), *(value(item) for item in node.comparators)]
            pairs = zip(node.ops, operands, operands[1:], strict=False)
            return all(arithmetic.compare(op, left, right) for op, left, right in pairs)
        case ast.IfExp():
            return value(node.body if value(node.test) else node.orelse)


def _connected(node: ast.BoolOp, value: Value) -> object:
    """The value of ``and`` and ``or``, which end at the first operand that decides."""
    found: object = None
    for operand in node.values:
        found = value(operand)
        if bool(found) is isinstance(node.op, ast.Or):
            break
    return found


def _source(node: ast.expr) -> str:
    try:
        return ast.unparse(node)
    except RecursionError:
        return "…"
