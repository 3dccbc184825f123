"""The variable that a line of a Python program assigns an array to."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.model.location import SourceLocation
from grader.programs.wire import Site


class PythonNames:
    """Names by the lines of a program's files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """``files`` has the content of each file."""
        self._files = files
        self._known: dict[str, Mapping[int, tuple[str, ...]]] = {}
        self._given: defaultdict[SourceLocation, int] = defaultdict(int)

    def assigned(self, location: SourceLocation, site: Site) -> str:
        """The variable that the allocation of a call at ``location`` goes to; empty where the line does not say.

        Of several allocations on a line, the calls come in the order of the names, again and again in a loop.
        """
        del site
        names = self._names(location.file or "").get(location.line or 0, ())
        if not names:
            return ""
        number = self._given[location]
        self._given[location] += 1
        return names[number % len(names)]

    def _names(self, file: str) -> Mapping[int, tuple[str, ...]]:
        if file not in self._known:
            data = next((data for name, data in self._files.items() if Path(name).name == file), b"")
            self._known[file] = _assigned_names(data)
        return self._known[file]


def _assigned_names(source: bytes) -> dict[int, tuple[str, ...]]:
    """The targets of the calls of each line, in the order in which they are made."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the interpreter says so itself
        return {}
    found: defaultdict[int, list[str]] = defaultdict(list)
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[target, *_], value=value) | ast.AnnAssign(target=target, value=value):
                for name, call in _pairs(target, value):
                    for line in range(call.lineno, (call.end_lineno or call.lineno) + 1):
                        found[line].append(name)
            case ast.With(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        for name, call in _pairs(item.optional_vars, item.context_expr):
                            found[call.lineno].append(name)
    return {line: tuple(names) for line, names in found.items()}


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.Call]]:
    """Each variable with the call that it gets, also in assignments of tuples."""
    match target, value:
        case ((ast.Name() | ast.Attribute() | ast.Subscript()), ast.Call()):
            yield ast.unparse(target), value
        case (
            (ast.Tuple(elts=targets) | ast.List(elts=targets)),
            (ast.Tuple(elts=values) | ast.List(elts=values)),
        ):
            for each, given in zip(targets, values, strict=False):
                yield from _pairs(each, given)
