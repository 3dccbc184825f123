"""What a Python program defines, and why it cannot be compiled; read in a sandbox, for its parser trusts its input.

``python -m grader.programs.python.outline FILE…`` prints an ``Outline`` as JSON.
"""

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

_MAIN = "__name__ == '__main__'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why a file cannot be compiled."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The files that define each name, those that have a part for the main program, and those with an error.

    ``arguments`` has the fewest and the most positional arguments of each function; -1: there is no most.
    """

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    arguments: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    mains: Sequence[str] = ()
    problems: Sequence[Problem] = ()

    def takes(self, name: str, count: int) -> bool:
        """Whether ``name`` may be called with ``count`` arguments: known of functions that are written out."""
        fewest, most = self.arguments.get(name, (0, -1))
        return name in self.names and fewest <= count and (most < 0 or count <= most)


def outline(files: Mapping[str, str]) -> Outline:
    """The outline of files with these texts."""
    names: dict[str, list[str]] = {}
    arguments: dict[str, tuple[int, int]] = {}
    mains, problems = [], []
    for file, text in files.items():
        try:
            tree = ast.parse(text, file)
            compile(tree, file, "exec")
        except SyntaxError as error:
            problems.append(Problem(file=file, line=error.lineno or 1, text=error.msg))
            continue
        except (ValueError, RecursionError, MemoryError) as error:
            problems.append(Problem(file=file, line=1, text=str(error) or type(error).__name__))
            continue
        for statement in _top_level(tree.body):
            if isinstance(statement, ast.FunctionDef):
                names.setdefault(statement.name, []).insert(0, file)
                arguments[statement.name] = _count(statement.args)
            for name in _bound(statement):
                names.setdefault(name, []).append(file)
            if isinstance(statement, ast.If) and ast.unparse(statement.test) == _MAIN:
                mains.append(file)
    return Outline(names=names, arguments=arguments, mains=mains, problems=problems)


def _top_level(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run with the module, in branches and ``try`` too."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody") if isinstance(statement, ast.If | ast.Try) else ():
            yield from _top_level(getattr(statement, part, ()))


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that get a value that is not written as a function."""
    match statement:
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        case ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name for alias in aliases)


def _count(arguments: ast.arguments) -> tuple[int, int]:
    most = len(arguments.posonlyargs) + len(arguments.args)
    return most - len(arguments.defaults), -1 if arguments.vararg else most


def main(paths: Sequence[str]) -> None:
    """Print the outline of the files at ``paths``."""
    files = {path: Path(path).read_text(encoding="utf-8", errors="replace") for path in paths}
    sys.stdout.write(msgspec.json.encode(outline(files)).decode())


if __name__ == "__main__":
    main(sys.argv[1:])
