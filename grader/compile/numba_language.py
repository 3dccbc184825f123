"""Numba, as a language of submissions: each kernel that a lab asks for becomes PTX. The files are never run."""

from itertools import starmap

from grader.compile.constants import python_definitions
from grader.compile.directives import Directives, python_comments
from grader.compile.failure import BuildFailed
from grader.compile.frames.files import is_of_frame
from grader.compile.frames.numba import check_functions, framed
from grader.compile.host_launches.python_program import read_python
from grader.compile.numba_kernels import NumbaProgram
from grader.compile.sources import Source
from grader.compile.translation import Frontend, Progress, translate_with, unused_macro_note
from grader.languages.builtin import NUMBA
from grader.model.build import BuildRequest, Translation
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import Abi, FoundKernel, PtxUnit
from grader.model.reason import reason


def translate(request: BuildRequest) -> Translation:
    """Compile a submission in Numba; see ``LanguageSupport.translate``."""
    return translate_with(NUMBA, _FRONTEND, request)


def _compile(
    request: BuildRequest, sources: tuple[Source, ...], directives: Directives, progress: Progress
) -> None:
    with NumbaProgram.opened(sources, request.macros) as program:
        if request.frame is not None:
            check_functions(request.frame, program.files)
        progress.host = read_python(
            {
                scope.file: scope.body
                for scope in program.files.scopes
                if request.frame is None or is_of_frame(scope.file)
            }
        )
        progress.diagnostics += map(unused_macro_note, program.files.unused_macros)
        progress.diagnostics += starmap(_host_code_note, program.files.host_lines.items())
        for spec in request.kernels:
            if spec.name in progress.problems:
                continue
            try:
                kernel = program.compile(spec, request)
            except BuildFailed as failure:
                progress.problems[spec.name] = failure.fault
                progress.diagnostics += failure.diagnostics
                continue
            progress.kernels.append(
                FoundKernel(
                    name=spec.name,
                    symbol=kernel.symbol,
                    unit=len(progress.units),
                    abi=Abi.NUMBA,
                    geometry=directives.geometries.get(spec.name),
                    line=kernel.line,
                    file=kernel.file,
                    arguments=kernel.arguments,
                )
            )
            progress.diagnostics += kernel.notes
            name = f"{kernel.file}:{spec.name}"
            progress.units.append(PtxUnit(name=name, ptx=kernel.ptx, max_registers=kernel.max_registers))


def _host_code_note(file: str, line: int) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.HOST_CODE_IGNORED,
        severity=Severity.NOTE,
        message=reason("python-host-code-ignored"),
        file=file,
        line=line,
    )


_FRONTEND = Frontend(
    comment="#",
    comments=python_comments,
    definitions=python_definitions,
    framed=framed,
    compile=_compile,
)
