"""CUDA C submissions: NVRTC compiles each ``.cu`` file as one unit, without its host code."""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.compile import includes
from grader.compile.build_time import pasted_build_time
from grader.compile.cpp_outline import Item, Shape, device_macros, outline
from grader.compile.cuda_c_errors import Dropped, at_includes, failure
from grader.compile.failure import BuildFailed
from grader.compile.forbidden import forbidden_in_tokens
from grader.compile.host_code import DevicePart, defined_macro, device_part
from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.nvrtc import Compilation, compile_cuda
from grader.compile.nvrtc_messages import NvrtcMessage, parse_log
from grader.compile.ptx import rename_files
from grader.compile.signatures import Signature, read_function_type
from grader.compile.sources import Source
from grader.compile.struct_layout import PROBE, TEMPLATE, expected_layout, layout_expression, read_layout
from grader.compile.templates import instantiate
from grader.compile.tokens import Kind, Token, tokenize
from grader.compile.toolkit_headers import toolkit_name
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.element_types import Composite
from grader.model.location import SourceLocation
from grader.model.reason import first_of, reason

UNIT_SUFFIX = ".cu"

_NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """One compiled ``.cu`` file: PTX with the student's file names, and the compiler's messages.

    ``texts`` are the device parts that were compiled. ``instance_errors`` are the errors of an instance of a template
    that does not compile.
    """

    name: str
    ptx: str
    diagnostics: tuple[Diagnostic, ...]
    texts: dict[str, DevicePart]
    resolved: includes.Resolved
    instance_errors: tuple[Diagnostic, ...] = ()


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

    @property
    def template_kernels(self) -> dict[str, SourceLocation]:
        """The kernels in the source that are templates, compiled or not, with their locations."""
        return {
            item.name: SourceLocation(file=file, line=item.tokens[0].line)
            for file, item in self._items()
            if item.name is not None and item.shape is Shape.FUNCTION and item.is_template_kernel
        }

    def tokens(self, file: str) -> tuple[Token, ...]:
        """Every token of one file."""
        return self.outlines[file].tokens

    def compile(
        self, unit: str, forbid: tuple[str, ...], instances: Mapping[str, tuple[str, ...]] | None = None
    ) -> Unit:
        """Compile one unit. Raises: ``BuildFailed``.

        ``instances`` are names of template instances to make, by the file of the template.
        """
        resolved = includes.resolve(unit, {name: file.tokens for name, file in self.outlines.items()})
        read = {name: self.tokens(name) for name in (unit, *resolved.own.values())}
        pasted = pasted_build_time(read, toolkit=resolved.needs_toolkit)
        if pasted is not None:
            raise BuildFailed(pasted)
        dropped = Dropped()
        while True:
            texts = self._device_parts(resolved, dropped)
            compilation = self._run(unit, texts, resolved)
            messages = self._messages(unit, resolved, compilation)
            if compilation.ptx is not None or not dropped.drop(messages, self.outlines):
                break
        if compilation.ptx is None:
            sources = [self._sources[name] for name in (unit, *resolved.own.values())]
            raise failure(self.outlines, sources, resolved, messages, dropped)
        wanted = tuple(name for file in texts for name in (instances or {}).get(file, ()))
        failed = None
        if wanted:
            run = partial(self._run, unit, texts, resolved, "")
            with_instances, failed = instantiate(wanted, run)
            compilation = with_instances or compilation
            messages = self._messages(unit, resolved, compilation)
        errors = self._messages(unit, resolved, failed) if failed else []
        ptx = rename_files(compilation.ptx or "", _renamer(unit, resolved))
        self._check_words(unit, resolved, ptx, forbid)
        notes = _host_code_note(unit, texts)
        return Unit(
            name=unit,
            ptx=ptx,
            diagnostics=(
                *resolved.diagnostics,
                *(each.diagnostic for each in messages),
                *dropped.warnings(),
                *notes,
            ),
            texts=texts,
            resolved=resolved,
            instance_errors=tuple(
                each.diagnostic
                for each in errors
                if each.severity is Severity.ERROR and each.line is not None
            ),
        )

    def function_type(self, unit: Unit, kernel: str) -> Signature | None:
        """The parameters of an ``extern "C"`` kernel, as the compiler sees them.

        A probe template is instantiated with the kernel's type; its mangled name then spells that type out.
        """
        probe = f"\ntemplate <class kernel> __global__ void {PROBE}() {{}}\n"
        expression = f"{PROBE}<decltype({kernel})>"
        compilation = self._run(unit.name, unit.texts, unit.resolved, probe, (expression,))
        return read_function_type(compilation.lowered[0], kernel) if compilation.lowered else None

    def has_layout(self, unit: Unit, struct: Composite) -> bool:
        """Whether the type of the struct's name has its members, sizes and offsets in ``unit``."""
        expression = layout_expression(struct)
        compilation = self._run(unit.name, unit.texts, unit.resolved, TEMPLATE, (expression,))
        return bool(compilation.lowered) and read_layout(compilation.lowered[0]) == expected_layout(struct)

    def _device_parts(self, resolved: includes.Resolved, dropped: Dropped) -> dict[str, DevicePart]:
        return {
            name: device_part(
                self._sources[name].text,
                self.outlines[name],
                dropped=dropped.items.get(name, ()),
                overridden=self._macros,
                includes=resolved.texts[name],
            )
            for name in resolved.texts
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
            toolkit=resolved.needs_toolkit,
            macros=self._macros,
            expressions=expressions,
        )

    def _messages(
        self, unit: str, resolved: includes.Resolved, compilation: Compilation
    ) -> list[NvrtcMessage]:
        lines = self._sources[unit].text.count("\n") + 1
        files = {_alias(unit): unit, **resolved.own}
        return at_includes(parse_log(compilation.log, files, (unit, lines), toolkit_name), unit, resolved)

    def _items(self) -> list[tuple[str, Item]]:
        return [(name, item) for name, file in self.outlines.items() for item in file.items]

    def _check_words(self, unit: str, resolved: includes.Resolved, ptx: str, forbid: tuple[str, ...]) -> None:
        for file in (unit, *resolved.own.values()):
            said = forbidden_in_tokens(file, self.tokens(file), ptx, forbid)
            if said is not None:
                raise BuildFailed(said)


def _alias(unit: str) -> str:
    """The name under which a unit is compiled: every tool can read its characters, and none takes it for an option."""
    return re.sub(r"[^A-Za-z0-9_.-]|^[^A-Za-z0-9_]", "_", posixpath.basename(unit))


def _renamer(unit: str, resolved: includes.Resolved) -> Callable[[str], str]:
    """Map the compiler's file names to the submission's; a toolkit header keeps its path below the toolkit's folder."""
    names = {**resolved.own, _alias(unit): unit}
    here = f"{Path.cwd()}/"

    def rename(path: str) -> str:
        path = posixpath.normpath(toolkit_name(path.removeprefix(here)))
        return names.get(path, path)

    return rename


def _host_code_note(unit: str, texts: Mapping[str, DevicePart]) -> tuple[Diagnostic, ...]:
    functions = texts[unit].host_functions
    if not functions:
        return ()
    names = [clean(item.name, MAX_QUOTED) if item.name else reason("unnamed-function") for item in functions]
    shown = first_of(list(dict.fromkeys(names)), _NAMES_SHOWN)
    return (
        Diagnostic(
            kind=DiagnosticKind.HOST_CODE_IGNORED,
            severity=Severity.NOTE,
            message=reason("host-code-ignored", functions=shown),
            file=unit,
            line=functions[0].tokens[0].line,
        ),
    )
