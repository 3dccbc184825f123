"""The Python files of one submission, which may import each other."""

import ast
import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from grader.compile.failure import BuildFailed
from grader.compile.frames.bodies import inside
from grader.compile.messages import compiler_diagnostic, located_message, quoted
from grader.compile.not_code import is_notebook_command, markdown_line
from grader.compile.python.reader import Reader
from grader.compile.python.scope import Scope
from grader.compile.python.values import Function, OwnModule
from grader.compile.sources import Source
from grader.model.diagnostic import Severity
from grader.model.location import SourceLocation
from grader.model.reason import reason

_PACKAGE = "__init__"


class PythonFiles:
    """The files with what their names stand for, read from their syntax trees.

    ``host_lines`` maps a file with host code to the first line of it. ``unused_macros`` are the sweep macros that no
    file defines.
    """

    def __init__(self, sources: Sequence[Source], macros: Mapping[str, int]) -> None:
        """Read all files. Raises: ``BuildFailed`` with the student's line if one is not valid Python."""
        folder = os.path.commonpath([posixpath.dirname(source.name) or "." for source in sources])
        self._sources = {_module_name(source.name, folder): source for source in sources}
        self._macros = macros
        self._scopes: dict[str, Scope] = {}
        self.host_lines: dict[str, int] = {}
        used: set[str] = set()
        for name in self._sources:
            used |= self._read(name)
        self.unused_macros = tuple(name for name in macros if name not in used)

    @property
    def names(self) -> frozenset[str]:
        """The names of the files."""
        return frozenset(source.name for source in self._sources.values())

    @property
    def first(self) -> str:
        """The first file's name."""
        return next(iter(self._sources.values())).name

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The scope of each file, in the order of the submission."""
        return tuple(self._scopes[name] for name in self._sources)

    def bound(self, name: str) -> Iterator[object]:
        """What ``name`` stands for at the top of each file that binds it."""
        for scope in self.scopes:
            if name in scope.names:
                yield scope.names[name]

    def nested(self, name: str) -> Iterator[object]:
        """What ``name`` stands for in the blocks of each file: its functions and below its main guard."""
        for top in self.scopes:
            for scope in top.walk():
                if scope is not top and name in scope.names:
                    yield scope.names[name]

    def in_class(self, name: str) -> SourceLocation | None:
        """The line of the first function of this name inside a class."""
        for scope in self.scopes:
            classes = (node for statement in scope.body for node in ast.walk(statement))
            for node in (each for each in classes if isinstance(each, ast.ClassDef)):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef) and method.name == name:
                        return SourceLocation(file=scope.file, line=method.lineno)
        return None

    def kernels(self) -> Iterator[Function]:
        """All CUDA kernels, at the top of a file or not."""
        for top in self.scopes:
            for scope in top.walk():
                for value in scope.names.values():
                    if isinstance(value, Function) and value.is_kernel:
                        yield value

    def _read(self, name: str) -> set[str]:
        """Read one file unless it is read, and return the macros that it defines. Raises: ``BuildFailed``."""
        if name in self._scopes:
            return set()
        source = self._sources[name]
        scope = self._scopes[name] = Scope(source.name, _parsed(source).body)
        used: set[str] = set()

        def find(module: str, level: int) -> OwnModule | None:
            absolute = _absolute(name, module, level)
            if absolute not in self._sources:
                return None
            used.update(self._read(absolute))
            return OwnModule(absolute, self._scopes[absolute])

        reader = Reader(self._macros, find)
        try:
            reader.read(scope)
        except RecursionError as error:
            raise _unreadable(source, error) from None
        if reader.host_line is not None:
            self.host_lines[source.name] = reader.host_line
        return used | reader.used_macros


def _module_name(file: str, folder: str) -> str:
    """The module name of ``file`` if ``folder`` is on Python's search path."""
    parts = PurePosixPath(posixpath.relpath(file, folder)).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == _PACKAGE and len(parts) > 1 else parts)


def _absolute(importer: str, module: str, level: int) -> str:
    """The full name of a module that ``importer`` imports with ``level`` leading dots."""
    if level == 0:
        return module
    package = importer.split(".")[:-level]
    return ".".join([*package, module] if module else package)


def _parsed(source: Source) -> ast.Module:
    """The syntax tree of one file. Raises: ``BuildFailed``."""
    try:
        if source.header:
            return inside(source.header, source.text, source.name)
        return ast.parse(source.text, source.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _unreadable(source, error) from None


def _unreadable(source: Source, error: Exception) -> BuildFailed:
    """The failure of a file that is not Python, or too deeply nested, in Python's own words."""
    text, line = (error.msg, error.lineno or None) if isinstance(error, SyntaxError) else (str(error), None)
    said = quoted(f"{type(error).__name__}: {text}")
    if (fence := markdown_line(source, line)) is not None:
        said, line = reason("markdown-in-code"), fence
    elif is_notebook_command(source, line):
        said = reason("notebook-command")
    failure = compiler_diagnostic(Severity.ERROR, said, source.name, line)
    return BuildFailed(located_message(failure), (failure,))
