"""The names that statements bind in the scope where they stand."""

import ast
from collections.abc import Iterable, Iterator

_OWN_SCOPE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def stored(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that ``nodes`` bind or delete, at any depth but not inside functions and comprehensions."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
                continue
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
            case (
                ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
                | ast.ExceptHandler(name=str(name))
            ):
                yield name
        if not isinstance(node, _OWN_SCOPE):
            yield from stored(ast.iter_child_nodes(node))


def assigned_in_expressions(statement: ast.stmt) -> Iterator[str]:
    """The names that ``:=`` binds in the expressions of ``statement``."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            parts: list[ast.AST] = [*statement.decorator_list, statement.args]
        case ast.ClassDef():
            parts = [*statement.decorator_list, *statement.bases, *statement.keywords]
        case _:
            parts = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, ast.stmt)]
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.NamedExpr):
                yield node.target.id
