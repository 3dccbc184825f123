"""Read the statements of a student's Python file: what each name stands for. No statement is run.

A statement is an import, a function or a constant, or else it is host code, and the names that it binds have no value.
"""

import ast
from collections import ChainMap, deque
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.python import decorators
from grader.compile.python.bound_names import assigned_in_expressions, stored
from grader.compile.python.constants import evaluate
from grader.compile.python.imports import FindOwn, imported
from grader.compile.python.scope import Scope
from grader.compile.python.values import Function, NotConstantError, Unavailable
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason


class Reader:
    """Reads one file.

    ``used_macros`` are the sweep macros that the file defines, ``host_line`` is the first line of its host code.
    """

    def __init__(self, macros: Mapping[str, int], find_own: FindOwn) -> None:
        self._macros = macros
        self._find_own = find_own
        self._guarded: list[list[ast.stmt]] = []
        self._waiting: deque[Scope] = deque()
        self.used_macros: set[str] = set()
        self.host_line: int | None = None

    def read(self, scope: Scope) -> None:
        """Read the file of ``scope``; its functions last, because they see the names that it binds below them.

        What is below the main guard binds only names that nothing else binds, as if another file imported this one.
        """
        self._block(scope, scope.body)
        for body in self._guarded:
            self._bind_if_new(scope, body)
        while self._waiting:
            inner = self._waiting.popleft()
            self._block(inner, inner.body)

    def _block(self, scope: Scope, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(scope, statement)
            for name in assigned_in_expressions(statement):
                self._no_value(scope, "python-computed-name", name, statement)

    def _statement(self, scope: Scope, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                scope.bind(node.name, self._function(scope, node), node.lineno)
                self._waiting.append(_body_of(scope, node))
            case ast.ClassDef() | ast.AsyncFunctionDef():
                self._no_value(scope, "python-class", node.name, node)
            case ast.Import() | ast.ImportFrom():
                for name, value in imported(scope, node, self._find_own):
                    scope.bind(name, value, node.lineno)
            case ast.Global() | ast.Nonlocal():
                scope.declare_elsewhere(node)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                self._assignment(scope, node)
            case ast.If() | ast.Try() | ast.With():
                self._compound(scope, node)
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case _:
                self._other(scope, node)

    def _other(self, scope: Scope, node: ast.stmt) -> None:
        """Read a statement that is host code in any case."""
        self._host_code(scope, node)
        for name in stored([node]):
            self._no_value(scope, "python-bound-in-block", name, node)
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                self._changed(scope, name, node)

    def _assignment(self, scope: Scope, node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> None:
        match node:
            case ast.Assign():
                for target in node.targets:
                    self._assign(scope, target, node.value)
            case ast.AnnAssign(value=ast.expr() as value):
                self._assign(scope, node.target, value)
            case ast.AugAssign(target=ast.Name(id=name) as target):
                current = ast.copy_location(ast.Name(name, ast.Load()), target)
                changed = ast.copy_location(ast.BinOp(current, node.op, node.value), node)
                self._assign(scope, target, changed)
            case ast.AugAssign():
                self._assign(scope, node.target, node.value)

    def _compound(self, scope: Scope, node: ast.If | ast.Try | ast.With) -> None:
        match node:
            case ast.If() if _is_main_guard(node.test):
                self._host_code(scope, node)
                self._guarded.append(node.body)
                self._block(scope, node.orelse)
            case ast.If():
                self._branches(scope, node)
            case ast.Try():
                self._block(scope, [*node.body, *node.orelse, *node.finalbody])
                for handler in node.handlers:
                    self._bind_if_new(scope, handler.body)
            case ast.With():
                self._host_code(scope, node)
                for name in stored(node.items):
                    self._no_value(scope, "python-computed-name", name, node)
                self._block(scope, node.body)

    def _branches(self, scope: Scope, node: ast.If) -> None:
        """Read the branch that a constant decides for; otherwise both, and keep what only one of them binds."""
        try:
            taken = bool(evaluate(node.test, scope))
        except (NotConstantError, ValueError):
            both = [self._bound_by(scope, body) for body in (node.body, node.orelse)]
            for name in {**both[0], **both[1]}:
                values = [names[name] for names in (*both, scope.names) if name in names]
                if all(_same(values[0], value) for value in values):
                    scope.names[name] = values[0]
                else:
                    self._no_value(scope, "python-bound-in-branches", name, node)
        else:
            self._block(scope, node.body if taken else node.orelse)

    def _bind_if_new(self, scope: Scope, body: Sequence[ast.stmt]) -> None:
        """Bind what ``body`` binds, but no name that has a value."""
        for name, value in self._bound_by(scope, body).items():
            scope.names.setdefault(name, value)

    def _bound_by(self, scope: Scope, body: Sequence[ast.stmt]) -> dict[str, object]:
        """What ``body`` binds, without binding it."""
        before = scope.names
        bound: dict[str, object] = {}
        scope.names = ChainMap(bound, before)
        self._block(scope, body)
        scope.names = before
        return bound

    def _function(self, scope: Scope, node: ast.FunctionDef) -> Function | Unavailable:
        function = Function(node, scope)
        for decorator in reversed(node.decorator_list):
            try:
                function = function.decorated(decorators.bare(evaluate(decorator, scope)))
            except NotConstantError as error:
                return Unavailable(_undecorated(scope, node, decorator, error.problem))
            except TypeError:
                return Unavailable(_undecorated(scope, node, decorator, None))
        return function

    def _assign(self, scope: Scope, target: ast.expr, value: ast.expr) -> None:
        """Bind the names in ``target``; an assignment to a part of an array makes the whole array unknown."""
        match target, value:
            case ast.Name(id=name), _ if scope.parent is None and name in self._macros:
                self.used_macros.add(name)
                scope.bind(name, self._macros[name], target.lineno)
            case ast.Name(id=name), _:
                scope.bind(name, self._value(scope, value), target.lineno)
            case ((ast.Tuple() | ast.List()), _):
                self._unpack(scope, target.elts, value)
            case _:
                self._assign_part(scope, target)

    def _unpack(self, scope: Scope, targets: list[ast.expr], value: ast.expr) -> None:
        """Bind each target to its part of ``value``, all of which have their values before: ``a, b = b, a``."""
        if isinstance(value, ast.Tuple | ast.List):
            parts: object = [self._value(scope, each) for each in value.elts]
        else:
            parts = self._value(scope, value)
        if not isinstance(parts, tuple | list) or len(parts) != len(targets):
            for target in targets:
                self._assign_part(scope, target)
            return
        for target, part in zip(targets, parts, strict=True):
            if isinstance(target, ast.Name):
                scope.bind(target.id, part, target.lineno)
            else:
                self._assign_part(scope, target)

    def _assign_part(self, scope: Scope, target: ast.expr) -> None:
        self._host_code(scope, target)
        for name in stored([target]):
            self._no_value(scope, "python-computed-name", name, target)
        while isinstance(target, ast.Subscript | ast.Attribute | ast.Starred):
            target = target.value
        if isinstance(target, ast.Name):
            self._changed(scope, target.id, target)

    def _changed(self, scope: Scope, name: str, node: ast.stmt | ast.expr) -> None:
        """An array or a list changes: no name of it has a value any more."""
        owner = scope.owner(name)
        if owner is None or not isinstance(owner.names[name], np.ndarray | list | dict | set):
            return
        changed = owner.names[name]
        for other in [each for each, value in owner.names.items() if value is changed]:
            owner.names[other] = Unavailable(scope.problem("python-changed", other, node.lineno))

    def _value(self, scope: Scope, node: ast.expr) -> object:
        try:
            return evaluate(node, scope)
        except NotConstantError as error:
            self._host_code(scope, node)
            return Unavailable(error.problem)

    def _no_value(self, scope: Scope, code: str, name: str, node: ast.stmt | ast.expr) -> None:
        scope.bind(name, Unavailable(scope.problem(code, name, node.lineno)), node.lineno)

    def _host_code(self, scope: Scope, node: ast.stmt | ast.expr) -> None:
        if scope.parent is None and self.host_line is None:
            self.host_line = node.lineno


def _is_main_guard(test: ast.expr) -> bool:
    match test:
        case ast.Compare(
            left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]
        ):
            return True
    return False


def _body_of(scope: Scope, node: ast.FunctionDef) -> Scope:
    """The scope of a function's body, in which its parameters have no value."""
    made = scope.block(node.body)
    args = node.args
    given = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    for parameter in given:
        if parameter is not None:
            problem = scope.problem("python-parameter", parameter.arg, parameter.lineno)
            made.names[parameter.arg] = Unavailable(problem)
    return made


def _undecorated(scope: Scope, node: ast.FunctionDef, decorator: ast.expr, problem: Reason | None) -> Reason:
    """Why a function with this decorator cannot be taken."""
    if problem is not None and problem.code == "python-foreign-code":
        return problem
    location = SourceLocation(file=scope.file, line=decorator.lineno)
    source = clean(ast.unparse(decorator), MAX_QUOTED)
    return reason("python-decorator", location=location, name=node.name, source=source)


def _same(one: object, other: object) -> bool:
    """Whether two values are certainly the same; arrays are so only if they are one."""
    if one is other:
        return True
    return isinstance(one, bool | int | float | str) and type(one) is type(other) and one == other
