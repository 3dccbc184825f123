"""The launches in a student's host code: ``kernel[grid, block, stream, shared](…)``."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.compile.python.constants import evaluate
from grader.compile.python.files import PythonFiles
from grader.compile.python.scope import Scope
from grader.compile.python.values import Function, NotConstantError
from grader.model.location import SourceLocation


@dataclass(frozen=True, slots=True, eq=False)
class KernelLaunch:
    """One launch, as it is written.

    ``configuration`` are the expressions in the brackets, ``arguments`` those in the parentheses. ``scope`` is the
    block of the launch: ``evaluate(expression, scope)`` gives the value of a constant expression.
    """

    kernel: Function
    configuration: tuple[ast.expr, ...]
    arguments: tuple[ast.expr, ...]
    scope: Scope
    line: int

    @property
    def location(self) -> SourceLocation:
        """The line of the launch."""
        return SourceLocation(file=self.scope.file, line=self.line)


def kernel_launches(files: PythonFiles) -> Iterator[KernelLaunch]:
    """All launches of kernels that are taken from ``files``, in the order of each block."""
    for top in files.scopes:
        for scope in top.walk():
            yield from _launches(scope)


def assigned(scope: Scope, name: str) -> list[ast.expr]:
    """The expressions that statements of this block assign to ``name``, at any depth of its loops and branches."""
    found = []
    for node in _own_nodes(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                found.append(value)
            case ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value) if bound == name:
                found.append(value)
    return found


def _launches(scope: Scope) -> Iterator[KernelLaunch]:
    for node in _own_nodes(scope):
        match node:
            case ast.Call(func=ast.Subscript(value=launched, slice=index), args=arguments):
                kernel = _kernel(launched, scope)
                if kernel is not None:
                    parts = tuple(index.elts) if isinstance(index, ast.Tuple) else (index,)
                    yield KernelLaunch(kernel, parts, tuple(arguments), scope, node.lineno)


def _kernel(node: ast.expr, scope: Scope) -> Function | None:
    try:
        value = evaluate(node, scope)
    except NotConstantError:
        return None
    return value if isinstance(value, Function) and value.is_kernel else None


def _own_nodes(scope: Scope) -> Iterator[ast.AST]:
    """All nodes of the block, in order, without those of its inner blocks."""
    inner = {id(statement) for block in scope.inner for statement in block.body}
    waiting: list[ast.AST] = list(reversed(scope.body))
    while waiting:
        node = waiting.pop()
        if id(node) in inner:
            continue
        yield node
        waiting += reversed(list(ast.iter_child_nodes(node)))
