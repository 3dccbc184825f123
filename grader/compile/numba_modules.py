"""Import a student's Python files from memory, under the student's file names and with sweep macros substituted.

This runs student code: call it only in a worker process with limits.
"""

import ast
import builtins
import importlib.util
import io
import linecache
import os
import posixpath
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path, PurePosixPath
from types import CodeType, FrameType, ModuleType
from typing import NoReturn

from grader.compile.constants import module_constants
from grader.compile.failure import BuildFailed
from grader.compile.messages import MAX_QUOTED, clean, compiler_diagnostic, located_message, quoted
from grader.compile.numba_no_device import HostCall
from grader.compile.sources import Source
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.reason import Reason, reason


class StudentModules:
    """The importable files of one submission.

    ``missing`` maps a library that is imported but not installed to the location of the import.
    """

    def __init__(self, sources: Sequence[Source], macros: Mapping[str, int]) -> None:
        folder = os.path.commonpath([posixpath.dirname(source.name) or "." for source in sources])
        self._sources = {_module_name(source.name, folder): source for source in sources}
        self._macros = macros
        self._used_macros: set[str] = set()
        self.missing: dict[str, tuple[str, int]] = {}

    @property
    def files(self) -> frozenset[str]:
        """The names of the files."""
        return frozenset(source.name for source in self._sources.values())

    @property
    def first_file(self) -> str:
        """The first file's name."""
        return next(iter(self._sources.values())).name

    @property
    def unused_macros(self) -> tuple[str, ...]:
        """Sweep macros that no imported file defines."""
        return tuple(name for name in self._macros if name not in self._used_macros)

    def text(self, file: str, line: int) -> str:
        """One line of a student's file, without surrounding blanks."""
        return linecache.getline(file, line).strip()

    def import_all(self) -> list[ModuleType]:
        """Import every file; call it inside ``importable``. Raises: ``BuildFailed`` with the student's line."""
        return [self._import(name) for name in self._sources]

    def _import(self, name: str) -> ModuleType:
        try:
            loaded = sys.modules.get(name)
            if loaded is not None and getattr(loaded, "__file__", None) in self.files:
                return loaded
            spec = ModuleSpec(name, _Loader(self), origin=self._sources[name].name)
            spec.has_location = True
            module = importlib.util.module_from_spec(spec)
            sys.modules.setdefault(name, module)
            _Loader(self).exec_module(module)
        except BuildFailed:
            raise
        except BaseException as error:  # noqa: BLE001 - student code raises SystemExit and its own classes
            failure = self._import_failure(self._sources[name].name, error)
            raise BuildFailed(located_message(failure), (failure,)) from None
        return module

    def code(self, name: str) -> CodeType:
        """The compiled file behind module ``name``. Raises: ``SyntaxError`` and the other errors of ``ast.parse``."""
        source = self._sources[name]
        lines = source.text.splitlines(keepends=True)
        linecache.cache[source.name] = (len(source.text), None, lines, source.name)
        tree = ast.parse(source.text, source.name)
        for node, constant in module_constants(tree.body):
            if constant in self._macros:
                node.value = ast.Constant(self._macros[constant])
                self._used_macros.add(constant)
        ast.fix_missing_locations(tree)
        return compile(tree, source.name, "exec", dont_inherit=True)

    def has(self, name: str) -> bool:
        """Whether ``name`` is a module of the submission."""
        return name in self._sources

    def origin(self, name: str) -> str:
        """The file of module ``name``."""
        return self._sources[name].name

    def caller(self) -> tuple[str, int] | None:
        """The student's line that runs the current import; ``None`` if a library runs it."""
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the import system offers no other way to find the importing frame
        while frame is not None:
            file = frame.f_code.co_filename
            if file in self.files:
                return file, frame.f_lineno
            if "importlib" not in file and file != __file__:
                return None
            frame = frame.f_back
        return None

    @contextmanager
    def importable(self) -> Iterator[None]:
        """Let the files import each other, away from the worker's streams, and unload them afterwards."""
        finder = _Finder(self)
        before = set(sys.modules)
        stdin, argv = sys.stdin, sys.argv
        sys.meta_path.append(finder)
        sys.stdin, sys.argv = io.StringIO(), ["submission"]
        try:
            with (
                Path(os.devnull).open("w") as sink,
                redirect_stdout(sink),
                redirect_stderr(sink),
            ):
                yield
        finally:
            sys.stdin, sys.argv = stdin, argv
            if finder in sys.meta_path:
                sys.meta_path.remove(finder)
            for name in set(sys.modules) - before:
                if self.has(name) or isinstance(sys.modules[name], _MissingModule):
                    del sys.modules[name]

    def _import_failure(self, file: str, error: BaseException) -> Diagnostic:
        """The error that ended the import of ``file``, at the student's line."""
        line = None
        # Student code may raise a SyntaxError of its own, with any values in these fields.
        if (
            isinstance(error, SyntaxError)
            and isinstance(error.filename, str)
            and error.filename in self.files
        ):
            line = error.lineno if isinstance(error.lineno, int) and error.lineno > 0 else None
            return compiler_diagnostic(Severity.ERROR, _quoted(error, error.msg), error.filename, line)
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename in self.files:
                file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
        source = self.text(file, line) if line is not None else ""
        return compiler_diagnostic(Severity.ERROR, _why_import_failed(error, source), file, line)


class _LibraryMissingError(ImportError):
    """The file uses a library that is not installed, at import. ``name`` is what it uses of it."""


def _why_import_failed(error: BaseException, source: str) -> Reason:
    """The problem with the line ``source``. The class of ``error`` may be the student's."""
    match error:
        case HostCall():
            return reason("gpu-used-on-import", source=clean(source, MAX_QUOTED))
        case SystemExit():
            return reason("exit-on-import")
        case EOFError():
            return reason("input-on-import")
        case _LibraryMissingError(name=str(name)):
            return reason("library-used-on-import", library=clean(name, MAX_QUOTED))
    return _quoted(error, error)


def _quoted(error: BaseException, message: object) -> Reason:
    """An exception in Python's own words; its class and its ``message`` may be the student's."""
    try:
        text = clean(str(message))
    except Exception:  # noqa: BLE001 - a student's __str__ may raise anything
        text = ""
    name = type(error).__name__
    return quoted(f"{name}: {text}" if text else name)


def _module_name(file: str, folder: str) -> str:
    """The module name of ``file`` if ``folder`` is on Python's search path."""
    name = ".".join(PurePosixPath(posixpath.relpath(file, folder)).with_suffix("").parts)
    return "submission" if name == "__main__" else name


class _Loader(Loader):
    def __init__(self, modules: StudentModules) -> None:
        self._modules = modules

    def exec_module(self, module: ModuleType) -> None:
        code = self._modules.code(module.__name__)
        module.__dict__["__builtins__"] = builtins
        exec(code, module.__dict__)  # noqa: S102 - importing student code is this process's purpose


class _MissingModule(ModuleType):
    """A library that is not installed: importing it succeeds, using it raises an error with the reason."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return _MissingObject(f"{self.__name__}.{name}")


class _MissingObject:
    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *_args: object, **_options: object) -> NoReturn:
        msg = f"{self.name} is not available to the grader"
        raise _LibraryMissingError(msg, name=self.name)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return _MissingObject(f"{self.name}.{name}")


class _MissingLoader(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _MissingModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing."""


class _Finder(MetaPathFinder):
    """The last finder: the submission's own files, then a stub for a library that is not installed.

    Host code at the end of a file often needs such libraries (plots, CuPy) although the kernels do not.
    """

    def __init__(self, modules: StudentModules) -> None:
        self._modules = modules

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if self._modules.has(fullname):
            spec = ModuleSpec(fullname, _Loader(self._modules), origin=self._modules.origin(fullname))
            spec.has_location = True
            return spec
        caller = self._modules.caller()
        if caller is None:
            return None
        self._modules.missing.setdefault(fullname.partition(".")[0], caller)
        return ModuleSpec(fullname, _MissingLoader(), is_package=True)
