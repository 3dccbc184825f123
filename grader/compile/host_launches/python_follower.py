"""Follow the statements of host code in Python: both branches of an ``if``, the first round of each loop, and calls."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.compile.host_launches.followed import Followed
from grader.compile.host_launches.python_expressions import PythonScope, read_python_expression
from grader.compile.host_launches.values import (
    Expression,
    Extent,
    HostLaunch,
    Listing,
    Unreadable,
    Variable,
    call,
    conditional,
    operation,
    value_of,
    whole,
)

_DEEPEST_CALL = 8
_DEEPEST_BLOCK = 40
_FORALL = "forall"
_CONFIGURE = "configure"
_BLOCK_OF_FORALL = 256
_SHOWN = 40
"""Characters of an expression that is not followed."""

Body = Sequence[ast.stmt]


@dataclass(slots=True, kw_only=True)
class PythonProgram(Followed):
    """A program in Python."""

    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)


@dataclass(slots=True)
class PythonFrame:
    """One call of a function, or the top level of a file.

    ``configured`` are variables that hold a kernel with its grid and block.
    """

    file: str
    function: str | None
    depth: int = 0
    values: dict[str, Expression] = field(default_factory=dict)
    configured: dict[str, ast.expr] = field(default_factory=dict)
    result: Expression | None = None
    ended: bool = False


class PythonFollower(PythonScope):
    """Follows the statements of one call."""

    def __init__(self, program: PythonProgram, frame: PythonFrame) -> None:
        self._program = program
        self._frame = frame

    def value(self, name: str, line: int) -> Expression:
        """See ``PythonScope``."""
        for values in (self._frame.values, self._program.globals):
            if name in values:
                return values[name]
        return Unreadable(name, line)

    def called(self, name: str, arguments: Sequence[Expression], node: ast.Call) -> Expression:
        """See ``PythonScope``."""
        function = self._program.functions.get(name)
        text = Unreadable(name + "(...)", node.lineno)
        frame = self._frame
        if function is None or frame.depth >= _DEEPEST_CALL or not self._program.step():
            return text
        self._program.followed.add(name)
        inner = PythonFrame(frame.file, name, frame.depth + 1)
        parameters = function.args.args
        for parameter, default in zip(reversed(parameters), reversed(function.args.defaults), strict=False):
            inner.values[parameter.arg] = self._read(default)
        given = {
            **{each.arg: value for each, value in zip(parameters, arguments, strict=False)},
            **{each.arg: self._read(each.value) for each in node.keywords if each.arg},
        }
        for own, value in given.items():
            inner.values[own] = Variable(own, value, line=node.lineno)
        PythonFollower(self._program, inner).block(function.body, 0)
        return text if inner.result is None else inner.result

    def launched(self, node: ast.Call) -> None:
        """See ``PythonScope``."""
        launched = node.func
        if isinstance(launched, ast.Name):
            launched = self._frame.configured.get(launched.id, launched)
        given: list[Expression | None]
        match launched:
            case ast.Subscript(value=kernel, slice=index):
                whole_index = self._read(index)
                listed = value_of(whole_index)
                given = list(listed.items) if isinstance(listed, Listing) else [whole_index]
            case ast.Call(func=ast.Attribute(value=kernel, attr=name), args=[count, *more]) if (
                name == _FORALL
            ):
                block = self._forall_block(launched, more)
                given = [call("ceil", operation("/", self._read(count), block)), block]
            case ast.Call(func=ast.Attribute(value=kernel, attr=name), args=parts) if name == _CONFIGURE:
                given = [self._read(part) for part in parts]
            case _:
                return
        found = self._kernel(kernel)
        if found is not None:
            self._add(found, [*given, None, None, None, None], node)

    def _forall_block(self, node: ast.Call, more: Sequence[ast.expr]) -> Expression:
        """The threads per block of ``kernel.forall(n, tpb)``; 256 where Numba would choose by the device."""
        given = [*more[:1], *(each.value for each in node.keywords if each.arg == "tpb")]
        return self._read(given[0]) if given else whole(_BLOCK_OF_FORALL)

    def _add(self, kernel: str, given: Sequence[Expression | None], node: ast.Call) -> None:
        grid, block, stream, shared = given[:4]
        missing = Unreadable("", node.lineno)
        arguments = tuple(map(self._read, node.args))
        launch = HostLaunch(
            kernel=kernel,
            grid=missing if grid is None else grid,
            block=missing if block is None else block,
            shared=whole(0) if shared is None else shared,
            stream=stream,
            arguments=arguments,
            file=self._frame.file,
            line=node.lineno,
            function=self._frame.function,
        )
        self._program.facts.add_launch(launch)

    def _kernel(self, node: ast.expr) -> str | None:
        """The name of a kernel, also through a variable, an import or a module."""
        if isinstance(node, ast.Attribute):
            return node.attr
        if not isinstance(node, ast.Name):
            return None
        value = value_of(self.value(node.id, node.lineno))
        return value.text if isinstance(value, Unreadable) and value.text.isidentifier() else node.id

    def block(self, body: Body, depth: int) -> None:
        """Follow statements."""
        for node in body if depth < _DEEPEST_BLOCK else ():
            if self._frame.ended or not self._program.step():
                break
            self._statement(node, depth + 1)

    def _statement(self, node: ast.stmt, depth: int) -> None:
        match node:
            case ast.If():
                self._if(node, depth)
            case ast.For() | ast.While():
                self._loop(node, depth)
            case ast.With(body=body) | ast.Try(body=body):
                self.block(body, depth)
            case ast.ImportFrom(names=names):
                for each in names:
                    known = self._program.globals.get(each.name, Unreadable(each.name, node.lineno))
                    self._frame.values[each.asname or each.name] = known
            case ast.Return(value=value):
                if value is not None and self._frame.result is None:
                    self._frame.result = self._read(value)
                self._frame.ended = True
            case _:
                self._simple(node)

    def _simple(self, node: ast.stmt) -> None:
        """Follow an assignment or an expression."""
        match node:
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], value)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                left = ast.copy_location(ast.Name(name), node)
                self._bind(name, self._read(ast.copy_location(ast.BinOp(left, op, value), node)), node.lineno)
            case ast.Expr(value=value):
                self._read(value)

    def _read(self, node: ast.expr) -> Expression:
        return read_python_expression(node, self) if self._program.step() else Unreadable("", node.lineno)

    def _bind(self, name: str, value: Expression, line: int) -> None:
        top = self._frame.function is None
        self._frame.values[name] = Variable(name, value, line=line, top=top)

    def _assign(self, targets: Sequence[ast.expr], node: ast.expr) -> None:
        value = self._read(node)
        for target in targets:
            match target:
                case ast.Name(id=name):
                    self._bind(name, value, node.lineno)
                    self._frame.configured.pop(name, None)
                    if isinstance(node, ast.Subscript | ast.Call):
                        self._frame.configured[name] = node
                case ast.Tuple(elts=items) | ast.List(elts=items):
                    for index, item in enumerate(items):
                        if isinstance(item, ast.Name):
                            self._bind(item.id, self._part(node, value, index), node.lineno)

    def _part(self, node: ast.expr, value: Expression, index: int) -> Expression:
        """One of the values that are assigned to several names."""
        if isinstance(node, ast.Attribute) and node.attr == "shape":
            return Extent(self._read(node.value), index)
        listed = value_of(value)
        items = listed.items if isinstance(listed, Listing) else ()
        return items[index] if index < len(items) else Unreadable(ast.unparse(node)[:_SHOWN], node.lineno)

    def _if(self, node: ast.If, depth: int) -> None:
        """Follow both branches. One that returns does not count for what comes after it."""
        frame = self._frame
        condition = _true_as_program(node.test) or self._read(node.test)
        before, ends = frame.values, []
        for body in (node.body, node.orelse):
            frame.values, frame.ended = dict(before), False
            self.block(body, depth)
            ends.append((frame.values, frame.ended))
        (yes, yes_ended), (no, no_ended) = ends
        frame.ended = yes_ended and no_ended
        if yes_ended != no_ended:
            frame.values = no if yes_ended else yes
            return
        frame.values = {**no, **yes}
        for name in yes.keys() & no.keys():
            if yes[name] is not no[name]:
                self._bind(name, conditional(condition, yes[name], no[name]), node.lineno)

    def _loop(self, node: ast.For | ast.While, depth: int) -> None:
        """Follow the first round. Afterwards what the loop changes is unknown."""
        frame = self._frame
        changed = {
            each.id
            for each in ast.walk(node)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        if isinstance(node, ast.For):
            self._first_item(node)
        for name in changed & frame.values.keys():
            frame.values[name] = Variable(name, frame.values[name], line=node.lineno, repeated=True)
        self.block(node.body, depth)
        for name in changed & frame.values.keys():
            self._bind(name, Unreadable(name, node.lineno), node.lineno)
        frame.ended = False

    def _first_item(self, node: ast.For) -> None:
        """Bind the names of a loop to the first item of a list in the source."""
        listed = value_of(self._read(node.iter))
        items = listed.items if isinstance(listed, Listing) else ()
        unknown = Unreadable(ast.unparse(node.target)[:_SHOWN], node.lineno)
        first = items[0] if items else unknown
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        parts = value_of(first) if isinstance(node.target, ast.Tuple) else Listing((first,))
        values = parts.items if isinstance(parts, Listing) else ()
        for index, target in enumerate(targets):
            if isinstance(target, ast.Name):
                self._bind(target.id, values[index] if index < len(values) else unknown, node.lineno)


def _true_as_program(node: ast.expr) -> Expression | None:
    """One for the main guard, because the file is read as a program."""
    match node:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return whole(1)
    return None
