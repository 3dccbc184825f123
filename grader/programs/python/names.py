"""Names of the arrays of a Python program: the variable that gets an array, or the argument that is copied."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.location import SourceLocation
from grader.programs.python.lines import argument_of
from grader.programs.wire import Site

_ALLOCATING = frozenset(
    {
        *("to_device", "device_array", "device_array_like", "managed_array", "create_xoroshiro128p_states"),
        *("pinned_array", "pinned_array_like", "mapped_array", "mapped_array_like"),
    }
)
"""Functions that allocate one array, which they return."""

_PINNING = frozenset({"pinned", "mapped"})
"""Functions that pin the arrays that they get."""


@dataclass(slots=True)
class _Line:
    """What a line names: the variables that get arrays, and the arguments of a launch."""

    arrays: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


class PythonNames:
    """Names by the lines of a program's files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """``files`` has the content of each file."""
        self._files = files
        self._known: dict[str, Mapping[int, _Line]] = {}
        self._given: defaultdict[SourceLocation, int] = defaultdict(int)

    def assigned(self, location: SourceLocation, site: Site) -> str:
        """The array that a call at ``location`` allocates memory for; its line, where that does not name it.

        Of several on a line, the calls come in the order of the names, again and again in a loop.
        """
        line = self._lines(location.file or "").get(location.line or 0, _Line())
        argument = argument_of(site)
        if argument is not None:
            named = line.arguments[argument : argument + 1]
        elif line.arrays:
            named = [line.arrays[self._given[location] % len(line.arrays)]]
            self._given[location] += 1
        else:
            named = []
        return "".join(named) or (f"the array of line {location.line}" if location.line else "an array")

    def _lines(self, file: str) -> Mapping[int, _Line]:
        if file not in self._known:
            data = next((data for name, data in self._files.items() if Path(name).name == file), b"")
            self._known[file] = _named(data)
        return self._known[file]


def _named(source: bytes) -> dict[int, _Line]:
    """What each line names."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the interpreter says so itself
        return {}
    found: defaultdict[int, _Line] = defaultdict(_Line)
    for node in ast.walk(tree):
        for call, names in _allocated(node):
            for line in _lines_of(call):
                found[line].arrays += names
        match node:
            case ast.Call(func=ast.Subscript(), args=arguments):  # kernel[grid, block](…)
                for line in _lines_of(node):
                    found[line].arguments = [_shown(argument) for argument in arguments]
    return dict(found)


def _allocated(node: ast.AST) -> Iterator[tuple[ast.Call, list[str]]]:
    """The calls of a node that allocate, with the names of what they allocate."""
    match node:
        case ast.Assign(targets=[target, *_], value=value) | ast.AnnAssign(target=target, value=value):
            yield from (
                (call, [name]) for name, call in _pairs(target, value) if _called(call) in _ALLOCATING
            )
        case ast.Call(args=arguments) if _called(node) in _PINNING:
            yield node, [_shown(argument) for argument in arguments]


def _called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _lines_of(call: ast.Call) -> range:
    return range(call.lineno, (call.end_lineno or call.lineno) + 1)


def _shown(argument: ast.expr) -> str:
    """An argument, if it is a variable or a part of one."""
    return ast.unparse(argument) if isinstance(argument, ast.Name | ast.Attribute | ast.Subscript) else ""


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
