"""What an import binds: parts of libraries, and names of the submission's other files."""

import ast
from collections.abc import Callable, Iterator

from grader.compile.python import libraries
from grader.compile.python.scope import Scope
from grader.compile.python.values import Library, OwnModule, Unavailable

FindOwn = Callable[[str, int], OwnModule | None]
"""Finds a file of the submission by its module name and the number of leading dots."""

Source = Library | OwnModule | Unavailable


def imported(
    scope: Scope, node: ast.Import | ast.ImportFrom, find_own: FindOwn
) -> Iterator[tuple[str, object]]:
    """The names that an import binds, each with what it stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            found = _module(scope, alias.name if alias.asname else top, 0, node.lineno, find_own)
            yield alias.asname or top, found
        return
    source = _module(scope, node.module, node.level, node.lineno, find_own) if node.module else None
    for alias in node.names:
        name = alias.asname or alias.name
        if source is None:
            yield name, _module(scope, alias.name, node.level, node.lineno, find_own)
        elif alias.name == "*":
            yield from _public(source)
        else:
            member = _member(scope, source, alias.name, node.lineno)
            if isinstance(member, Unavailable):
                member = find_own(f"{node.module}.{alias.name}", node.level) or member
            yield name, member


def _module(scope: Scope, name: str, level: int, line: int, find_own: FindOwn) -> Source:
    found = (libraries.library(name) if level == 0 else None) or find_own(name, level)
    return found or Unavailable(scope.problem("python-library", "." * level + name, line))


def _public(source: Source) -> Iterator[tuple[str, object]]:
    """What ``from … import *`` binds."""
    match source:
        case Library():
            yield from libraries.public_members(source)
        case OwnModule():
            names = source.scope.names
            yield from ((name, value) for name, value in names.items() if not name.startswith("_"))


def _member(scope: Scope, source: Source, name: str, line: int) -> object:
    """What ``from source import name`` binds."""
    match source:
        case Library():
            try:
                return libraries.member(source, name)
            except KeyError:
                return Unavailable(scope.problem("python-library", f"{source.name}.{name}", line))
        case OwnModule():
            if name in source.scope.names:
                return source.scope.names[name]
            return Unavailable(scope.problem("python-not-in-file", name, line))
        case Unavailable():
            return source
