"""CUDA C submissions: NVRTC compiles each ``.cu`` file as one unit, without its host code."""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.compile import includes
from grader.compile.cpp_outline import Item, Outline, Shape, device_macros, outline
from grader.compile.failure import BuildFailed
from grader.compile.forbidden import forbidden_in_tokens
from grader.compile.host_code import DevicePart, defined_macro, device_part, is_host_code
from grader.compile.messages import compiler_diagnostic, diagnostic_text, location_text, parse_nvrtc
from grader.compile.nvrtc import Compilation, compile_cuda
from grader.compile.ptx import rename_files
from grader.compile.signatures import Signature, read_function_type
from grader.compile.sources import Source
from grader.compile.tokens import Kind, Token, tokenize
from grader.messages import render
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.reason import as_written

UNIT_SUFFIX = ".cu"

_NAMES_SHOWN = 5
_MAX_ROUNDS = 8
_UNDEFINED = re.compile(r'identifier "(?P<name>\w+)" is undefined.*')
_PROBE = "grader_probe"


@dataclass(frozen=True, slots=True)
class Unit:
    """One compiled ``.cu`` file: PTX with the student's file names, and the compiler's messages.

    ``texts`` are the device parts that were compiled.
    """

    name: str
    ptx: str
    diagnostics: tuple[Diagnostic, ...]
    texts: dict[str, DevicePart]
    resolved: includes.Resolved


@dataclass(slots=True)
class _Dropped:
    """Top-level items that the compiler rejected as host code, and its errors about them."""

    items: dict[str, list[Item]] = field(default_factory=dict)
    errors: list[tuple[Item, Diagnostic]] = field(default_factory=list)
    rounds: int = 0

    def add(self, file: str, item: Item, error: Diagnostic) -> None:
        known = self.items.setdefault(file, [])
        if item not in known:
            known.append(item)
        self.errors.append((item, error))


class CudaProgram:
    """The files of one CUDA C submission; ``compile`` compiles one of them."""

    def __init__(self, sources: tuple[Source, ...], macros: Mapping[str, int]) -> None:
        self._sources = {source.name: source for source in sources}
        tokens = {source.name: tuple(tokenize(source.text)) for source in sources}
        markers = frozenset[str]().union(*map(device_macros, tokens.values()))
        self.outlines = {name: outline(file, markers) for name, file in tokens.items()}
        defined = {
            defined_macro(token) for file in tokens.values() for token in file if token.kind is Kind.DIRECTIVE
        }
        self._macros = {name: value for name, value in macros.items() if name in defined}
        self.unused_macros = tuple(name for name in macros if name not in defined)

    @property
    def units(self) -> tuple[str, ...]:
        """The names of the files to compile; the others are headers."""
        return tuple(name for name in self._sources if name.lower().endswith(UNIT_SUFFIX))

    def tokens(self, file: str) -> tuple[Token, ...]:
        """Every token of one file."""
        return self.outlines[file].tokens

    def compile(self, unit: str, forbid: tuple[str, ...]) -> Unit:
        """Compile one unit. Raises: ``BuildFailed``."""
        resolved = includes.resolve(unit, {name: file.tokens for name, file in self.outlines.items()})
        dropped = _Dropped()
        while True:
            texts = self._device_parts(unit, resolved, dropped)
            compilation = self._run(unit, texts, resolved)
            diagnostics = self._messages(unit, resolved, compilation)
            if compilation.ptx is not None or not self._drop(diagnostics, dropped):
                break
        if compilation.ptx is None:
            raise self._failure(unit, [*resolved.diagnostics, *diagnostics], dropped)
        ptx = rename_files(compilation.ptx, _renamer(unit, resolved))
        self._check_words(unit, resolved, ptx, forbid)
        notes = _host_code_note(unit, texts)
        return Unit(
            name=unit,
            ptx=ptx,
            diagnostics=(*resolved.diagnostics, *diagnostics, *notes),
            texts=texts,
            resolved=resolved,
        )

    def function_type(self, unit: Unit, kernel: str) -> Signature | None:
        """The parameters of an ``extern "C"`` kernel, as the compiler sees them.

        A probe template is instantiated with the kernel's type; its mangled name then spells that type out.
        """
        probe = f"\ntemplate <class kernel> __global__ void {_PROBE}() {{}}\n"
        expression = f"{_PROBE}<decltype({kernel})>"
        compilation = self._run(unit.name, unit.texts, unit.resolved, probe, (expression,))
        return read_function_type(compilation.lowered[0], kernel) if compilation.lowered else None

    def _device_parts(
        self, unit: str, resolved: includes.Resolved, dropped: _Dropped
    ) -> dict[str, DevicePart]:
        return {
            name: device_part(
                self._sources[name].text,
                self.outlines[name],
                dropped=dropped.items.get(name, ()),
                overridden=self._macros,
            )
            for name in {unit: None, **dict.fromkeys(resolved.own.values())}
        }

    def _run(
        self,
        unit: str,
        texts: Mapping[str, DevicePart],
        resolved: includes.Resolved,
        appendix: str = "",
        expressions: tuple[str, ...] = (),
    ) -> Compilation:
        headers = {name: content.encode() for name, content in resolved.stubs.items()}
        for include, file in resolved.own.items():
            headers[include] = texts[file].text.encode(self._sources[file].encoding)
        return compile_cuda(
            (texts[unit].text + appendix).encode(self._sources[unit].encoding),
            _alias(unit),
            headers=headers,
            toolkit=resolved.toolkit,
            macros=self._macros,
            expressions=expressions,
        )

    def _messages(self, unit: str, resolved: includes.Resolved, compilation: Compilation) -> list[Diagnostic]:
        lines = self._sources[unit].text.count("\n") + 1
        return parse_nvrtc(compilation.log, {_alias(unit): unit, **resolved.own}, (unit, lines))

    def _drop(self, diagnostics: list[Diagnostic], dropped: _Dropped) -> bool:
        """Drop the undecorated items that contain errors. Returns whether compiling again may succeed."""
        dropped.rounds += 1
        progress = False
        for diagnostic in diagnostics if dropped.rounds < _MAX_ROUNDS else ():
            if (
                diagnostic.severity is not Severity.ERROR
                or diagnostic.file is None
                or diagnostic.line is None
            ):
                continue
            for item in self.outlines[diagnostic.file].items:
                if not item.device and not is_host_code(item) and diagnostic.line in item.lines:
                    progress = progress or item not in dropped.items.get(diagnostic.file, ())
                    dropped.add(diagnostic.file, item, diagnostic)
        return progress

    def _failure(self, unit: str, diagnostics: list[Diagnostic], dropped: _Dropped) -> BuildFailed:
        """The failure of a unit that does not compile; the most specific error gives the reason."""
        explained = [self._explain(diagnostic, dropped) for diagnostic in diagnostics]
        hints = [*self._unclosed(), *(item for item in explained if _is_missing_header(item))]
        errors = [diagnostic for diagnostic in explained if diagnostic.severity is Severity.ERROR]
        first = (*hints, *errors)[0] if hints or errors else None
        reason = f"{unit} does not compile" if first is None else diagnostic_text(first)
        if first is not None and first.file is None:
            reason = f"in a CUDA header that {unit} includes: {reason}"
        return BuildFailed(reason, tuple(dict.fromkeys([*hints, *explained])))

    def _unclosed(self) -> list[Diagnostic]:
        return [
            compiler_diagnostic(
                Severity.ERROR, "this { is never closed; add the missing }", name, file.unclosed.line
            )
            for name, file in self.outlines.items()
            if file.unclosed is not None
        ]

    def _explain(self, diagnostic: Diagnostic, dropped: _Dropped) -> Diagnostic:
        """If an undefined name is host code, a message that says so; otherwise the diagnostic itself."""
        match = _UNDEFINED.fullmatch(render(diagnostic.message))
        if match is None:
            return diagnostic
        name = match["name"]
        for file, item in self._items():
            if is_host_code(item) and item.name == name:
                message = (
                    f"{name} ({location_text(file, item.tokens[0].line)}) is a host function; "
                    "mark it __device__ so that a kernel can call it"
                )
                return compiler_diagnostic(Severity.ERROR, message, diagnostic.file, diagnostic.line)
        for item, error in dropped.errors:
            if item.mentions(name):
                return error
        return diagnostic

    def _items(self) -> list[tuple[str, Item]]:
        return [(name, item) for name, file in self.outlines.items() for item in file.items]

    def _check_words(self, unit: str, resolved: includes.Resolved, ptx: str, forbid: tuple[str, ...]) -> None:
        for file in (unit, *resolved.own.values()):
            reason = forbidden_in_tokens(file, self.tokens(file), ptx, forbid)
            if reason is not None:
                raise BuildFailed(reason)


def declaration(
    outlines: Mapping[str, Outline], kernel: str, code: tuple[str | None, int | None] = (None, None)
) -> tuple[str, Item, int] | None:
    """File, item and line of the declaration of ``kernel``.

    A kernel is preferred to another function, and a definition to a declaration. Of several definitions the one that
    contains ``code``, a file and a line, is taken.
    """
    found = [
        (file, item)
        for file, contents in outlines.items()
        for item in contents.items
        if item.shape is not Shape.OTHER and item.name == kernel
    ]
    if not found:
        return None
    file, item = max(
        found,
        key=lambda pair: (
            pair[1].mentions("__global__"),
            pair[1].shape is Shape.FUNCTION,
            pair[1].device,
            pair[0] == code[0] and code[1] in pair[1].lines,
        ),
    )
    line = next(token.line for token in item.tokens if token.text == kernel)
    return file, item, line


def _is_missing_header(diagnostic: Diagnostic) -> bool:
    return diagnostic.severity is Severity.WARNING and includes.MISSING_HEADER in render(diagnostic.message)


def _alias(unit: str) -> str:
    """The name under which a unit is compiled, with characters that every tool can read."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", posixpath.basename(unit))


def _renamer(unit: str, resolved: includes.Resolved) -> Callable[[str], str]:
    """Map the compiler's file names to the submission's; a toolkit header keeps its path below the toolkit's folder."""
    names = {posixpath.normpath(name): file for name, file in (*resolved.own.items(), (_alias(unit), unit))}
    folders = (str(Path.cwd()), *includes.toolkit_folders())

    def rename(path: str) -> str:
        for folder in folders:
            path = path.removeprefix(f"{folder}/")
        path = posixpath.normpath(path)
        return names.get(path, path)

    return rename


def _host_code_note(unit: str, texts: Mapping[str, DevicePart]) -> tuple[Diagnostic, ...]:
    functions = texts[unit].host_functions
    if not functions:
        return ()
    names = list(dict.fromkeys(item.name or "a function" for item in functions))
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    shown = ", ".join(names[:_NAMES_SHOWN]) + more
    message = f"host code is ignored, only the kernels are graded: {shown}"
    return (
        Diagnostic(
            kind=DiagnosticKind.HOST_CODE_IGNORED,
            severity=Severity.NOTE,
            message=as_written(message),
            file=unit,
            line=functions[0].tokens[0].line,
        ),
    )
